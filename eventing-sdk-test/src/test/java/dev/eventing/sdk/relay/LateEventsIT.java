package dev.eventing.sdk.relay;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;

import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.relay.LateEvents.LostEnd;
import dev.eventing.sdk.relay.LateEvents.Unpublished;
import dev.eventing.sdk.schema.EventingSchema;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/** Which of the late events are published again, and how long they are remembered. */
class LateEventsIT {

	private static final String RELAY = "test";

	private static final Instant CREATED = Instant.parse("2026-01-01T00:00:00Z");

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private JdbcTemplate jdbc;

	private LateEvents late;

	@BeforeEach
	void record() {
		this.jdbc = new JdbcTemplate(this.fixture.dataSource());
		this.late = new LateEvents(this.jdbc, EventingSchema.defaults(), RELAY);
		record(RELAY, "S", 1, 100);
		record(RELAY, "S", 2, 101);
		record(RELAY, "S", 3, 102);
		record(RELAY, "T", 4, 200);
		record("other", "S", 5, 300);
	}

	@Test
	void publishesAgainWhatTheStreamHasLostAlone() {
		assertThat(this.late.publishAgain(end(100))).isEqualTo(2);
		assertThat(toBeTried()).containsExactly(2L, 3L);
		assertThat(this.late.publishAgain(end(100))).isZero();
		assertThat(remembered()).containsExactly(1L, 4L, 5L);
	}

	@Test
	void publishesAgainAllThatAFormerStreamOfThatNameHad() {
		LostEnd anew = new LostEnd("S", CREATED.plusSeconds(60), 1000, Instant.EPOCH);
		assertThat(this.late.publishAgain(anew)).isEqualTo(3);
		assertThat(toBeTried()).containsExactly(1L, 2L, 3L);
	}

	/** A statement must be short. */
	@Test
	void publishesAgainSoManyAtATime() {
		this.jdbc.update("""
				insert into eventing.relay_late_events
				       (relay_name, global_position, tenant_id, stream_id, event_id, stream, stream_created, sequence)
				select ?, n, 'acme', 'a-' || n, gen_random_uuid(), 'S', ?, n from generate_series(1001, 11005) n""",
				RELAY, CREATED.atOffset(ZoneOffset.UTC));
		assertThat(this.late.publishAgain(end(1000))).isEqualTo(10_000);
		assertThat(this.late.publishAgain(end(1000))).isEqualTo(5);
		assertThat(this.late.publishAgain(end(1000))).isZero();
		assertThat(toBeTried()).hasSize(10_005);
	}

	@Test
	void leavesTheRowOfAnEventThatWaitsAgain() {
		this.jdbc.update("""
				insert into eventing.relay_refusals
				       (relay_name, global_position, tenant_id, stream_id, event_id, status, reason)
				values (?, 2, 'acme', 'a-2', gen_random_uuid(), 'WAITING', 'a test')""", RELAY);
		assertThat(this.late.publishAgain(end(100))).isEqualTo(2);
		assertThat(toBeTried()).containsExactly(3L);
	}

	@Test
	void leavesWhatConsumersMayHaveForgotten() {
		assertThat(this.late.forgottenBefore()).isEqualTo(Instant.EPOCH);
		this.jdbc.update("""
				insert into eventing.projector_prunings (projector_name, stream, pruned_before, retention)
				values ('accounts', 'S', now() - interval '2 hours', interval '1 hour')""");
		publishedAgo("59 minutes", 1);
		publishedAgo("2 hours", 2);
		publishedAgo("3 hours", 3);
		Instant before = this.late.forgottenBefore();
		LostEnd all = new LostEnd("S", CREATED, 0, before);
		assertThat(this.late.forgotten(all)).as("1 minute is a margin").isEqualTo(new Unpublished(1, 3));
		publishedAgo("58 minutes", 1);
		assertThat(this.late.forgotten(all)).isEqualTo(new Unpublished(2, 2));
		assertThat(this.late.forgotten(new LostEnd("S", CREATED, 102, before))).isEqualTo(new Unpublished(0, 0));
		assertThat(this.late.publishAgain(all)).isEqualTo(1);
		assertThat(toBeTried()).containsExactly(1L);
		assertThat(remembered()).containsExactly(2L, 3L, 4L, 5L);
	}

	@Test
	void isRememberedForADay() {
		publishedAgo("25 hours", 1);
		publishedAgo("23 hours", 2);
		publishedAgo("25 hours", 5);
		this.late.removeOld();
		assertThat(remembered()).containsExactly(2L, 3L, 4L, 5L);
	}

	private void record(String relay, String stream, long position, long sequence) {
		this.jdbc.update("""
				insert into eventing.relay_late_events
				       (relay_name, global_position, tenant_id, stream_id, event_id, stream, stream_created, sequence)
				values (?, ?, 'acme', 'a-' || ?, gen_random_uuid(), ?, ?, ?)""", relay, position, position, stream,
				CREATED.atOffset(ZoneOffset.UTC), sequence);
	}

	private void publishedAgo(String age, long position) {
		this.jdbc.update(
				"update eventing.relay_late_events set published_at = now() - ?::interval where global_position = ?",
				age, position);
	}

	/** All that was published is known. */
	private static LostEnd end(long kept) {
		return new LostEnd("S", CREATED, kept, Instant.EPOCH);
	}

	private List<Long> toBeTried() {
		return this.jdbc.queryForList(
				"select global_position from eventing.relay_refusals where status = 'RETRY' order by 1", Long.class);
	}

	private List<Long> remembered() {
		return this.jdbc.queryForList("select global_position from eventing.relay_late_events order by 1", Long.class);
	}

}
