package dev.eventing.sdk.projection.reconcile;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import javax.sql.DataSource;

import dev.eventing.sdk.jdbc.DatabaseFailure;
import dev.eventing.sdk.projection.GenerationDiff;
import dev.eventing.sdk.projection.ReconciliationCheck;
import dev.eventing.sdk.projection.ReconciliationOptions;
import dev.eventing.sdk.projection.ReconciliationResult;
import dev.eventing.sdk.projection.ReconciliationResult.Answer;
import dev.eventing.sdk.projection.Reconciliations;
import dev.eventing.sdk.projection.ledger.CheckLedger;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.store.EventRows;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.QueryTimeoutException;

/** Runs checks, and stores their results. Thread-safe. */
public final class ReconciliationRunner implements Reconciliations {

	private static final Logger logger = LoggerFactory.getLogger(ReconciliationRunner.class);

	private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

	private final DeclaredChecks declared;

	private final CheckLedger ledger;

	private final Comparison comparison;

	private final GenerationComparison generations;

	private final Duration timeout;

	/** The last logged finding of each check that this node ran. */
	private final Map<String, Finding> logged = new ConcurrentHashMap<>();

	/**
	 * Sends no query yet.
	 * @param dataSource the DataSource that holds the read models and the SDK's tables
	 * @param ledger stores the results
	 * @param rows reads events for checks that fold
	 */
	public ReconciliationRunner(DeclaredChecks declared, CheckLedger ledger, DataSource dataSource,
			EventingSchema schema, ReconciliationOptions options, EventRows rows) {
		this.declared = declared;
		this.ledger = ledger;
		this.comparison = new Comparison(dataSource, schema, options.timeout(), rows);
		this.generations = new GenerationComparison(dataSource, schema, ledger, options.timeout());
		this.timeout = options.timeout();
	}

	@Override
	public List<ReconciliationCheck> checks() {
		return this.declared.all().stream().map(DeclaredCheck::check).toList();
	}

	@Override
	public ReconciliationResult run(String check, String actor) {
		return run(check, null, actor, Duration.ZERO, ReconciliationRunner::nothing);
	}

	@Override
	public GenerationDiff diff(String projector, String actor, Duration patience) {
		requireActor(actor);
		return this.generations.run(projector, actor, patience, logger::debug);
	}

	@Override
	public GenerationDiff diff(String projector, String actor, @Nullable String reason, Duration patience) {
		GenerationDiff diff = diff(projector, actor, patience);
		this.ledger.audit(diff.result(), reason);
		return diff;
	}

	private static void requireActor(String actor) {
		if (actor.isBlank()) {
			throw new IllegalArgumentException(
					"'actor' must not be blank. Consider a text for those who look at the results.");
		}
	}

	@Override
	public Duration timeLimit(String check) {
		return this.timeout.plus(Comparison.GRACE).multipliedBy(this.declared.require(check).buckets());
	}

	@Override
	public ReconciliationResult runBeside(String check, int generation, String actor, Duration patience) {
		return run(check, generation, actor, patience, ReconciliationRunner::nothing);
	}

	/**
	 * Runs a check, and something else between its buckets, on this thread. The time for
	 * that is not part of the check's duration.
	 * @param generation the generation beside the live one; null for the live one
	 */
	ReconciliationResult run(String check, @Nullable Integer generation, String actor, Duration patience,
			Runnable between) {
		requireActor(actor);
		DeclaredCheck found = this.declared.require(check);
		AtomicLong begun = new AtomicLong(System.nanoTime());
		Found all = compare(found, generation, patience, () -> {
			long paused = System.nanoTime();
			between.run();
			begun.addAndGet(System.nanoTime() - paused);
		});
		ReconciliationResult result = this.ledger.add(found.check(), generation, actor,
				Duration.ofNanos(System.nanoTime() - begun.get()), all.answer(), all.error());
		if (generation == null) {
			log(result);
		}
		return result;
	}

	private static void nothing() {
		// a check that is run by itself has nothing to do between its buckets
	}

	/** Runs one bucket after the other, each with its own snapshot. */
	private Found compare(DeclaredCheck check, @Nullable Integer generation, Duration patience, Runnable between) {
		Found all = compare(check, 0, generation, patience);
		for (int bucket = 1; bucket < check.buckets() && all.answer() != null; bucket++) {
			between.run();
			all = Thread.currentThread().isInterrupted() ? Found.none("The run was interrupted.")
					: all.and(compare(check, bucket, generation, patience));
		}
		return all;
	}

	/** Waits for an answer, if only time is missing. */
	private Found compare(DeclaredCheck check, int bucket, @Nullable Integer generation, Duration patience) {
		long begun = System.nanoTime();
		Found found = compare(check, bucket, generation);
		while (found.waits() && System.nanoTime() - begun < patience.toNanos()
				&& !Thread.currentThread().isInterrupted()) {
			LockSupport.parkNanos(PAUSE_NANOS);
			found = compare(check, bucket, generation);
		}
		return found;
	}

	private Found compare(DeclaredCheck check, int bucket, @Nullable Integer generation) {
		String of = (check.buckets() > 1) ? "Bucket %s of %s: ".formatted(bucket, check.buckets()) : "";
		try {
			return new Found(this.comparison.answer(check, bucket, generation), null, false);
		}
		catch (NoAnswerException ex) {
			return new Found(null, of + ex.getMessage(), ex.isForNow());
		}
		catch (DataAccessException ex) {
			return Found.none(of + describe(ex));
		}
	}

	private String describe(DataAccessException failure) {
		if (failure instanceof QueryTimeoutException) {
			return "The query took longer than " + this.timeout
					+ " and was cancelled. Consider more buckets, or a check of fewer events, such as the events of one day.";
		}
		// Further lines of the driver may quote rows.
		return DatabaseFailure.describe(failure).lines().findFirst().orElse("The query failed");
	}

	/** Errors may quote values of events, so the log has none. */
	private void log(ReconciliationResult result) {
		Answer answer = result.answer();
		Finding finding = (answer == null) ? Finding.NO_ANSWER
				: result.hasDifferences() ? Finding.DIFFERENCES : Finding.NONE;
		Finding before = this.logged.put(result.check(), finding);
		if (finding == before) {
			return;
		}
		if (answer == null) {
			logger.warn("Check '{}' of projector '{}' has no answer. 'eventing projection check {}' shows why.",
					result.check(), result.projector(), result.projector());
		}
		else if (answer.differences() > 0) {
			logger.error(
					"Check '{}' found {} differences between the read model of projector '{}' and its events up to "
							+ "position {}. 'eventing projection check {}' shows the first ones.",
					result.check(), answer.differences(), result.projector(), answer.position(), result.projector());
		}
		else if (before != null) {
			logger.info("Check '{}' of projector '{}' finds no differences any more.", result.check(),
					result.projector());
		}
	}

	@Override
	public Optional<ReconciliationResult> last(String check) {
		return this.ledger.last(this.declared.require(check).check());
	}

	@Override
	public List<ReconciliationResult> results(String projector) {
		return this.ledger.results(projector);
	}

	/**
	 * The answer of some buckets, or why there is none.
	 *
	 * @param answer the differences, or null
	 * @param error why there is no answer, or null
	 * @param waits whether only time is missing
	 */
	private record Found(@Nullable Answer answer, @Nullable String error, boolean waits) {

		static Found none(String error) {
			return new Found(null, error, false);
		}

		/** Without an answer of each there is none. */
		Found and(Found other) {
			Answer one = this.answer;
			Answer next = other.answer;
			if (one == null || next == null) {
				return other;
			}
			List<String> sample = Stream.concat(one.sample().stream(), next.sample().stream())
				.limit(Comparison.SAMPLE)
				.toList();
			return new Found(new Answer(Math.min(one.position(), next.position()),
					one.differences() + next.differences(), sample), null, false);
		}

	}

	/** The findings of a run. */
	private enum Finding {

		NONE, DIFFERENCES, NO_ANSWER

	}

}
