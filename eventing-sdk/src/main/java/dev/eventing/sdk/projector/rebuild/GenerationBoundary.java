package dev.eventing.sdk.projector.rebuild;

import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.eventing.sdk.projection.ledger.Filling;
import dev.eventing.sdk.projection.ledger.FillingLedger;
import dev.eventing.sdk.projection.ledger.GenerationLedger;
import dev.eventing.sdk.projection.tables.ReadModelTables;
import dev.eventing.sdk.projection.tables.Strangers;
import dev.eventing.sdk.projector.transaction.GenerationFailedException;
import dev.eventing.sdk.projector.transaction.TransactionStep;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Lets the handlers of a generation beside the live one meet its tables, and finds what
 * they write to besides. Thread-safe.
 */
final class GenerationBoundary implements TransactionStep {

	private static final Logger logger = LoggerFactory.getLogger(GenerationBoundary.class);

	/** The SDK's tables that transactions of a generation write to. */
	private static final Set<String> OWN = Set.of("projection_lanes", "projection_claims", "projections",
			"projection_audit", "projector_checkpoints", "projector_handouts", "projector_attempts",
			"projector_coverage", "projection_effects", "projection_snapshots", "dead_letters", "dead_letter_audit",
			"leases", "lease_epochs");

	private final Filling filling;

	private final String schema;

	private final ReadModelTables tables;

	private final GenerationLedger generations;

	private final FillingLedger fillings;

	private final Set<String> allowed;

	/** The schema of the SDK's tables. */
	private final String own;

	/** Whether it has warned that handlers read other tables. */
	private final AtomicBoolean warned = new AtomicBoolean();

	GenerationBoundary(Filling filling, JdbcTemplate jdbc, EventingSchema schema, GenerationLedger generations) {
		this.filling = filling;
		this.schema = String.valueOf(filling.schema());
		this.tables = new ReadModelTables(jdbc);
		this.generations = generations;
		this.fillings = new FillingLedger(jdbc, schema, filling.projection());
		this.own = schema.name();
		// A schema's name is quoted if it is a word of SQL.
		this.allowed = OWN.stream()
			.flatMap((table) -> Stream.of(schema.name() + '.' + table, '"' + schema.name() + "\"." + table))
			.collect(Collectors.toUnmodifiableSet());
	}

	/**
	 * The SDK's own records need no search path. PostgreSQL 18 tells the driver of each
	 * change of it, and then the driver forgets the statements that the connection has
	 * prepared.
	 */
	@Override
	public void begin(Use use) {
		if (use != Use.NOTE) {
			this.tables.lookFirstIn(this.schema);
		}
	}

	@Override
	public void complete(Use use, TransactionStatus status) {
		if (use == Use.APPLY) {
			status.flush(); // what an EntityManager has not written yet
			String stranger = strangerWrittenTo();
			if (stranger != null) {
				throw new GenerationFailedException("Its handlers write to " + stranger
						+ ", which is not one of its tables. Consider @Projector(tables = ...).");
			}
		}
	}

	private @Nullable String strangerWrittenTo() {
		Strangers strangers = this.tables.strangers(this.schema);
		if (!this.warned.get()) {
			List<String> read = strangers.readBeside(this.own);
			if (!read.isEmpty()) {
				note(String.join(", ", read));
			}
		}
		return strangers.writtenBut(this.allowed).orElse(null);
	}

	/** Once in a tenure, when the transaction has committed. */
	private void note(String read) {
		this.generations.note(this.filling.generation(), "Its handlers read " + read
				+ ": a rebuild finds there what it has today, and not what it had when the events came.");
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

			@Override
			public void afterCommit() {
				if (GenerationBoundary.this.warned.compareAndSet(false, true)) {
					logger.warn(
							"Generation {} of the read model of projector '{}' depends on more than its events: its "
									+ "handlers read {}. Consider to put what they need into the events.",
							GenerationBoundary.this.filling.generation(), GenerationBoundary.this.filling.projection(),
							read);
				}
			}

		});
	}

	@Override
	public void failed(GenerationFailedException failure) {
		String why = String.valueOf(failure.getMessage());
		if (this.fillings.fail(this.filling.generation(), this.filling.projection().actor(), why)) {
			logger
				.error("Generation {} of the read model of projector '{}' cannot go on. {} The live generation is not "
						+ "concerned.", this.filling.generation(), this.filling.projection(), why);
		}
	}

}
