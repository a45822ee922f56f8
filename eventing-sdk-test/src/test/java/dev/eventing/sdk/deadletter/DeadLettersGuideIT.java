package dev.eventing.sdk.deadletter;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;

import dev.eventing.sdk.deadletter.ledger.JdbcDeadLetters;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.fixture.Fixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** The guide to dead letters, as it is written there. */
class DeadLettersGuideIT {

	@RegisterExtension
	final Fixture fixture = new Fixture();

	@Test
	void redrivesWhatOneErrorLeftOfATenantSinceYesterday() {
		LetterBox box = new LetterBox(this.fixture);
		UUID first = box.failed("order-summary", "acme", "order-1");
		box.behind("order-summary", "acme", "order-1");
		box.failed("order-summary", "globex", "order-1");
		DeadLetters deadLetters = new JdbcDeadLetters(box.dataSource, LetterBox.SCHEMA, JsonMapper.shared());

		DeadLetters letters = deadLetters.scopedTo(TenantId.of("acme"));
		DeadLetterFilter broken = DeadLetterFilter.ALL.withProjector("order-summary")
			.withErrorClass("java.lang.IllegalStateException")
			.withDead(Instant.now().minus(Duration.ofDays(1)), null);
		Redrive plan = letters.plan(broken);
		Redrive redrive = letters.redrive(new RedriveRequest(broken, "anna", 50));
		UUID redriveId = Objects.requireNonNull(redrive.redriveId(), "no letter fits");
		RedriveProgress progress = letters.progress(redriveId);

		assertThat(plan.selected()).isEqualTo(1);
		assertThat(plan.followers()).isEqualTo(1);
		assertThat(progress.waiting()).isEqualTo(2);
		assertThat(letters.get(first).orElseThrow().status()).isEqualTo(DeadLetterStatus.REDRIVING);
		assertThat(deadLetters.count(DeadLetterFilter.ALL.withStatus(DeadLetterStatus.PARKED))).isEqualTo(1);
	}

}
