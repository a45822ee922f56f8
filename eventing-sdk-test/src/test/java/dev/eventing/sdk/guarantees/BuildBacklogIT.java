package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.UnknownNameException;
import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.ledger.JdbcProjections;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.schema.EventingSchema;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A generation is built beside the live one from many times what a heap of 128 MiB holds,
 * each event once.
 */
@Tag("bulk")
class BuildBacklogIT {

	private static final String PROJECTOR = "adding";

	private static final long HEAP = 128L << 20;

	private static final int EVENTS = 1_000_000;

	private static final int STREAMS = 1_000;

	private static final Duration PATIENCE = Duration.ofMinutes(6);

	@RegisterExtension
	final ProjectorProcess projector = ProjectorProcess.of(Adding.class).heap("128m");

	@AutoClose
	private final World world = World.create();

	private final Projections operators = new JdbcProjections(this.world.jdbc().getDataSource(),
			EventingSchema.defaults());

	@Test
	void buildsAGenerationFromAMillionEventsWithAHeapOf128MiB() {
		this.world.jdbc().execute("create table added (events bigint, total bigint)");
		append();
		// the live generation has met them all
		this.world.begun(PROJECTOR, EVENTS, EVENTS);
		this.projector.start(this.world);
		this.projector.awaitReady();
		await().atMost(PATIENCE).ignoreException(UnknownNameException.class).until(this::isRequested);
		long began = System.nanoTime();
		await().atMost(PATIENCE)
			.pollInterval(Duration.ofMillis(250))
			.failFast("the process has ended", () -> !this.projector.isAlive())
			.until(() -> isAt(ProjectionGeneration.Status.READY));
		System.out.printf("%d events: built in %d ms%n", EVENTS,
				TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
		String table = beside().orElseThrow().schema() + ".added";
		assertThat(this.world.count("select sum(events) from " + table)).isEqualTo(EVENTS);
		assertThat(this.world.count("select sum(total) from " + table)).isEqualTo(EVENTS * (EVENTS + 1L) / 2);
		assertThat(this.world.count("select count(*) from added")).as("of the live generation").isZero();
	}

	/** As appending leaves them, of a thousand streams. */
	private void append() {
		this.world.jdbc().update("""
				insert into eventing.events
				       (event_id, tenant_id, stream_id, stream_version, event_type, occurred_at, payload, metadata)
				select ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'acme', ? || n % ?, n / ? + 1,
				       'Padded', now(), jsonb_build_object('number', n + 1, 'filler', repeat('x', 100)),
				       '{"source": "/test"}'
				  from generate_series(0, ? - 1) as n
				 order by n""", this.world.storedStream("account"), STREAMS, STREAMS, EVENTS);
		this.world.jdbc()
			.update("insert into eventing.streams (tenant_id, stream_id, version) select 'acme', ? || n, ?"
					+ " from generate_series(0, ? - 1) as n", this.world.storedStream("account"), EVENTS / STREAMS,
					STREAMS);
		this.world.jdbc().execute("analyze eventing.events");
	}

	private boolean isRequested() {
		this.operators.rebuildBeside(PROJECTOR, "anna", "a column was wrong", PATIENCE);
		return true;
	}

	private boolean isAt(ProjectionGeneration.Status status) {
		return beside().filter((generation) -> generation.status() == status).isPresent();
	}

	private Optional<ProjectionGeneration> beside() {
		return this.operators.generations(PROJECTOR)
			.stream()
			.filter((generation) -> generation.status().isBeside())
			.findFirst();
	}

	/** Adds up a batch with one statement. */
	@Projector(value = PROJECTOR, tables = "added")
	static class Adding {

		@Autowired
		private JdbcTemplate jdbc;

		Adding() {
			long heap = Runtime.getRuntime().maxMemory();
			if (heap > HEAP) {
				throw new IllegalStateException("This process has a heap of " + heap + " bytes, not of " + HEAP + ".");
			}
		}

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE)
		public void on(List<Event<BacklogIT.Padded>> events) {
			this.jdbc.update("insert into added values (?, ?)", events.size(),
					events.stream().mapToLong((event) -> event.payload().number()).sum());
		}

	}

}
