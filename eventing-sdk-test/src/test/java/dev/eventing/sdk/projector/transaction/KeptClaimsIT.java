package dev.eventing.sdk.projector.transaction;

import java.util.Objects;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.fixture.Statements;
import dev.eventing.sdk.schema.EventingSchema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A switch keeps claims of events that the live generation, 2, has applied and of which
 * the next one, 3, has letters. There are ten kinds of 20,000 letters, by the last digit
 * of their number.
 */
class KeptClaimsIT {

	private static final EventingSchema SCHEMA = EventingSchema.defaults();

	private static final ProjectorId TOTALS = ProjectorId.of("totals");

	private static final int LETTERS = 20_000;

	/** The last digits of open letters of generation 3 of events that are claimed. */
	private static final String KEPT = "(5, 6, 9)";

	private static final String SETUP = """
			create table kind as
			select n, n %% 10 as digit, md5(n::text)::uuid as event_id,
			       case n %% 3 when 0 then 'acme' when 1 then 'globex' else 'initech' end as tenant_id
			  from generate_series(1, %d) n;
			insert into eventing.dead_letters (letter_id, projector_name, tenant_id, event_id, subject, headers, payload, stream,
			                                   stream_sequence, published_at, reason, attempts, first_failed_at, status,
			                                   edited_payload)
			select gen_random_uuid(),
			       case digit when 7 then (array['totals', 'totals#2', 'totals#30', 'orders#3'])[1 + n / 10 %% 4]
			                  else 'totals#3' end,
			       case digit when 8 then '' else tenant_id end,
			       event_id, 's', '{}', '', 'S', n, now(), 'r', 1, now(),
			       case digit when 3 then 'DISCARDED' when 4 then 'RESOLVED' when 6 then 'REDRIVING' else 'PARKED' end,
			       case when digit in (4, 5) then '{}'::bytea end
			  from kind;
			insert into eventing.processed_events (projector_name, event_id, tenant_id)
			select case digit when 2 then (array['orders', 'totals#1', 'totals#3', 'total'])[1 + n / 10 %% 4] else 'totals' end,
			       case digit when 0 then gen_random_uuid() else event_id end,
			       case digit when 1 then 'umbrella' when 8 then '' else tenant_id end
			  from kind;
			insert into eventing.projection_claims (projection_name, generation, event_id, tenant_id)
			select projection, generation, event_id, tenant_id from kind,
			       (values ('totals', 2, 99), ('totals', 3, 89), ('orders', 2, 79)) claimed (projection, generation, ending)
			 where n %% 100 = ending"""
		.formatted(LETTERS);

	@RegisterExtension
	final Fixture fixture = new Fixture();

	@Test
	void claimsInOneStatementWhatOnlyTheLiveGenerationHasApplied() {
		JdbcTemplate jdbc = this.fixture.jdbc();
		jdbc.execute(SETUP);
		Statements statements = new Statements(this.fixture.dataSource());
		int claimedBefore = LETTERS / 100;
		assertThat(keep(statements)).isEqualTo(LETTERS * 3 / 10 - claimedBefore);
		assertThat(statements.about("")).as("statements").isOne();
		assertThat(count(jdbc, """
				select count(*) from kind k full join
				       (select * from eventing.projection_claims where projection_name = 'totals' and generation = 2) c
				       using (event_id, tenant_id)
				 where (k.digit in %1$s and c.event_id is not null) is not true
				   and (k.digit not in %1$s and c.event_id is null) is not true""".formatted(KEPT))).as("mistakes")
			.isZero();
		assertThat(count(jdbc, "select count(*) from eventing.projection_claims")).isEqualTo(LETTERS * 3 / 10 + 400);
		assertThat(keep(statements)).as("once more").isZero();
	}

	private static int keep(Statements statements) {
		return FillingClaims.keepAppliedBut(new JdbcTemplate(statements), SCHEMA, TOTALS.ofGeneration(2),
				TOTALS.ofGeneration(3));
	}

	private static long count(JdbcTemplate jdbc, String sql) {
		return Objects.requireNonNull(jdbc.queryForObject(sql, Long.class));
	}

}
