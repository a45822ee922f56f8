package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.Map;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.projection.InlineProjections;
import dev.eventing.sdk.projection.InlineStatus;
import dev.eventing.sdk.projection.ledger.InlineLedger;
import dev.eventing.sdk.projection.ledger.JdbcInlineProjections;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.test.server.PostgresServer;
import dev.eventing.sdk.test.server.TestServers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G12: an append in a transaction that is prepared, and committed later by another
 * session (two-phase commit).
 */
class G12PreparedIT {

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private final PostgresServer postgres = this.fixture
		.opened(PostgresServer.start(Map.of("max_prepared_transactions", "5")));

	private final World world = this.fixture.opened(World.on(TestServers.nats(), this.postgres));

	private final InlineProjections inline = new JdbcInlineProjections(this.world.jdbc().getDataSource(),
			EventingSchema.defaults());

	private final InlineLedger ledger = new InlineLedger(this.world.jdbc(), EventingSchema.defaults(),
			ProjectorId.of(Accounts.PROJECTOR));

	@Test
	void isNoticedAtItsCommitAndKeepsTheProjectorFromTurningUntilThen() {
		try (AnnotationConfigApplicationContext node = this.world
			.start(WorldApplication.of(new InlineSetup.Inline()).lease(Duration.ofSeconds(2)))) {
			awaitInline();
			prepare("one", 1);
			this.world.jdbc().execute("commit prepared 'one'");
			await().until(() -> version() == 1);
			awaitInline();
			this.inline.demote(Accounts.PROJECTOR, "anna", "a test");
			await().until(() -> !isInline());
			prepare("two", 2);
			this.inline.promote(Accounts.PROJECTOR, "anna", null);
			await().until(() -> World.status(node, Accounts.PROJECTOR).detail().contains("not yet: "));
			assertThat(isInline()).isFalse();
			this.world.jdbc().execute("commit prepared 'two'");
			awaitInline();
			assertThat(version()).isEqualTo(2);
			assertThat(this.world.jdbc().queryForList("select * from violations")).isEmpty();
		}
	}

	private void prepare(String transaction, long version) {
		this.world.jdbc().execute("""
				begin;
				insert into eventing.events
				  (event_id, tenant_id, stream_id, stream_version, event_type, occurred_at, payload, metadata)
				values (gen_random_uuid(), 'acme', '%1$s', %2$d, 'Deposited', now(),
				        '{"account": "a", "version": %2$d, "amount": %2$d}', '{"source": "/psql"}');
				prepare transaction '%3$s'""".formatted(this.world.storedStream("a"), version, transaction));
	}

	private void awaitInline() {
		await().until(() -> this.inline.find(Accounts.PROJECTOR).orElse(null) == InlineStatus.INLINE);
	}

	private boolean isInline() {
		return this.ledger.find().orElseThrow().isInline();
	}

	private long version() {
		return this.world.version(World.ACME, "a");
	}

}
