package dev.eventing.sdk.projector.transaction;

import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.idempotency.EventKey;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.schema.KeptPlans;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * PostgreSQL keeps plans that it made while a table of projectors was empty. They must
 * not read all rows once there are many.
 */
class ProjectorPlansIT {

	private static final String PROJECTOR = "accounts";

	private static final int STORED = 10_000;

	private static final int BATCH = 200;

	private static final String TABLE = "eventing.projector_attempts";

	@AutoClose
	private final KeptPlans plans = new KeptPlans();

	private final JdbcTemplate jdbc = this.plans.jdbc();

	private final JdbcAttempts attempts = new JdbcAttempts(this.jdbc, EventingSchema.defaults(),
			ProjectorId.of(PROJECTOR));

	/** Without statistics, and with those of a table that is known to be empty. */
	@ParameterizedTest
	@ValueSource(strings = { "select 1", "vacuum analyze eventing.projector_attempts" })
	void attemptsAreFoundByThePrimaryKeyAlsoIfThereWereNoneWhenTheQueryWasPlanned(String before) {
		this.plans.neverAnalyze(TABLE);
		this.jdbc.execute(before);
		List<EventKey> some = IntStream.range(0, BATCH).mapToObj((each) -> event(each * 31)).toList();
		assertThat(this.attempts.begun(some)).isEmpty();
		this.jdbc.update("insert into eventing.projector_attempts (projector_name, tenant_id, event_id, attempts,"
				+ " first_attempt_at, last_attempt_at)"
				+ " select ?, 'acme', lpad(to_hex(i), 32, '0')::uuid, 1, now(), now() from generate_series(0, ?) i",
				PROJECTOR, STORED);
		assertThat(this.plans.rowsRead(TABLE,
				() -> assertThat(this.attempts.begun(some)).hasSize(BATCH).containsEntry(event(31), true)))
			.isLessThan(5L * BATCH);
	}

	private static EventKey event(int number) {
		return new EventKey(TenantId.of("acme"), new UUID(0, number));
	}

}
