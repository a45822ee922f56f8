package dev.eventing.sdk.projection.ledger;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Set;
import java.util.UUID;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.projection.ledger.Effect.Cause;
import dev.eventing.sdk.schema.EventingSchema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/** Whether the live generation has applied an event that has effects. */
class EffectLedgerIT {

	private static final Instant MORNING = Instant.parse("2026-01-01T06:00:00Z");

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private final JdbcTemplate jdbc = this.fixture.jdbc();

	private final EffectLedger ledger = new EffectLedger(this.jdbc, EventingSchema.defaults(),
			ProjectorId.of("orders"));

	private final Cause cause = new Cause(TenantId.of("acme"), UUID.randomUUID(), 5, UUID.randomUUID());

	@Test
	void isWhatLiesBehindItsFloorInTheSameStream() {
		this.jdbc.update("""
				insert into eventing.projector_positions (projector_name, stream, stream_created, floor)
				values ('orders', 'ORDERS', ?, 5)""", MORNING.atOffset(ZoneOffset.UTC));
		assertThat(ahead(new SourceStream("ORDERS", MORNING, null))).isEmpty();
		assertThat(ahead(new SourceStream("OTHERS", MORNING, null))).containsExactly(this.cause);
		this.jdbc.update("update eventing.projector_positions set floor = 4");
		assertThat(ahead(new SourceStream("ORDERS", MORNING, null))).containsExactly(this.cause);
	}

	/** A stream that was made anew counts from 1. */
	@Test
	void isNotWhatLiesBelowItsFloorInAFormerIncarnationOfTheStream() {
		this.jdbc.update("""
				insert into eventing.projector_positions (projector_name, stream, stream_created, floor)
				values ('orders', 'ORDERS', ?, 1000)""", MORNING.atOffset(ZoneOffset.UTC));
		SourceStream anew = new SourceStream("ORDERS", MORNING.plusSeconds(60), null);
		assertThat(ahead(anew)).containsExactly(this.cause);
		store();
		this.ledger.forgetApplied(2, anew);
		assertThat(stored()).isOne();
		this.jdbc
			.update("""
					insert into eventing.processed_events (projector_name, event_id, tenant_id) values ('orders', ?, 'acme')""",
					this.cause.eventId());
		assertThat(ahead(anew)).as("what is claimed").isEmpty();
		this.ledger.forgetApplied(2, anew);
		assertThat(stored()).isZero();
	}

	private Set<Cause> ahead(SourceStream stream) {
		return this.ledger.ahead(Set.of(this.cause), stream);
	}

	private void store() {
		this.jdbc.update("""
				insert into eventing.projection_effects (projection_name, event_id, tenant_id, generation, n, state,
				                                         sequence, effect_id, stream_id, event_type, payload, metadata)
				values ('orders', ?, 'acme', 2, 1, 'STORED', 5, ?, 's', 'Noticed', '{}', '{}')""", this.cause.eventId(),
				this.cause.firstEffect());
	}

	private long stored() {
		return this.jdbc.queryForList("select from eventing.projection_effects").size();
	}

}
