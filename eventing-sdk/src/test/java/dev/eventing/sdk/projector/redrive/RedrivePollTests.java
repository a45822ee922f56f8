package dev.eventing.sdk.projector.redrive;

import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import dev.eventing.sdk.deadletter.ledger.RedriveLedger;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.schema.EventingSchema;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Another query of the node asks for letters to redrive, while there are none. */
class RedrivePollTests {

	/** Its own queries fail: there is no database. */
	@AutoClose
	private final RedrivePoll poll = new RedrivePoll(new RedriveLedger(
			new JdbcTemplate(new DriverManagerDataSource("jdbc:none:nowhere")), EventingSchema.defaults()));

	private final AtomicInteger calls = new AtomicInteger();

	@Test
	void asksForNothingWhileNoProjectorRedrives() {
		assertThat(this.poll.due()).isEmpty();
	}

	@Test
	void callsTheProjectorsThatAnotherQueryFound() {
		this.poll.add(ProjectorId.of("orders"), this.calls::incrementAndGet);
		await().until(() -> this.poll.due().equals(Set.of(ProjectorId.of("orders"))));
		this.poll.answered(Set.of(ProjectorId.of("orders"), ProjectorId.of("of-another-node")));
		assertThat(this.calls).hasValue(1);
	}

	@Test
	void asksItselfAfterSomethingWasFoundBecauseMoreMayFollowSoon() {
		this.poll.add(ProjectorId.of("orders"), this.calls::incrementAndGet);
		await().until(() -> !this.poll.due().isEmpty());
		this.poll.answered(Set.of(ProjectorId.of("orders")));
		assertThat(this.poll.due()).isEmpty();
	}

}
