package dev.eventing.sdk.erasure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import javax.sql.DataSource;

import dev.eventing.sdk.erasure.ErasureReport.Erased;
import dev.eventing.sdk.jdbc.BoundedDataSource;
import dev.eventing.sdk.jdbc.DatabaseFailure;
import dev.eventing.sdk.jdbc.SeparateTransactions;
import dev.eventing.sdk.schema.ErasedCount;
import dev.eventing.sdk.schema.ErasedStream;
import dev.eventing.sdk.schema.ErasureLock;
import dev.eventing.sdk.schema.ErasureStep;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.schema.TableRights;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Erases the contents of a stream: of its events, which stay as tombstones with position,
 * version, id, type and times, of its snapshots and dead letters, and the rows of read
 * models that belong to it as their projectors declare. Folds, projectors and relays pass
 * over tombstones. What lies in JetStream, in backups and in the logs is not erased.
 *
 * <p>
 * One transaction, on the caller's thread and never the caller's: after a crash either
 * all is erased or nothing, and it may be repeated. While it runs, appends to the stream
 * and projectors that apply its events wait. Thread-safe.
 */
public final class Erasure {

	private static final Logger logger = LoggerFactory.getLogger(Erasure.class);

	/** Of one statement: a stream may be long, and read models large. */
	private static final Duration PATIENCE = Duration.ofMinutes(5);

	private static final Duration RELAYS_WITHIN = Duration.ofSeconds(10);

	private static final int MOST_TRIES = 5;

	/** For others: owners renew their leases meanwhile, or are taken over. */
	private static final Duration PAUSE = Duration.ofSeconds(2);

	private final SeparateTransactions transactions;

	private final JdbcClient jdbc;

	private final ErasureSteps steps;

	private final ErasureAudit audit;

	private final ErasureLock lock;

	/**
	 * Sends no query yet.
	 * @param dataSource the DataSource that holds the SDK's tables and the read models.
	 * Its role needs rights that an application's role may lack: to update the events,
	 * and to delete rows of the read models.
	 * @param schema the schema of the SDK's tables
	 */
	public Erasure(DataSource dataSource, EventingSchema schema) {
		this.transactions = new SeparateTransactions(BoundedDataSource.of(dataSource, PATIENCE));
		this.jdbc = JdbcClient.create(this.transactions.dataSource());
		this.steps = ErasureSteps.of(schema);
		this.audit = new ErasureAudit(this.jdbc, schema);
		this.lock = new ErasureLock(schema);
	}

	/**
	 * The contents that would be erased now. Changes nothing, and does not wait. Needs no
	 * right but to read.
	 * @throws ErasureNotAllowedException if the role may not read a table
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	public ErasureReport plan(ErasureRequest request) {
		ErasedStream stream = this.steps.stream(request.tenantId(), request.streamId());
		return this.transactions.readAtOnePoint(() -> {
			requireRights(stream, true);
			boolean known = this.steps.store().exists(stream, this.jdbc);
			return report(known, counts(ErasureStep::plan, stream), stream, List.of());
		});
	}

	/**
	 * Erases, and waits up to ten seconds until no relay can publish contents that it had
	 * read before. Of a stream that does not exist, or is erased already, it erases what
	 * came since, and is audited as well.
	 * @throws ErasureNotAllowedException if the role lacks a right; nothing was erased
	 * @throws org.springframework.dao.DataAccessException if the database does not
	 * answer, or others hold locks for long; nothing was erased, unless the answer to the
	 * commit was lost
	 */
	public ErasureReport erase(ErasureRequest request) {
		ErasedStream stream = this.steps.stream(request.tenantId(), request.streamId());
		ErasureReport done = tried(request, stream);
		List<String> pending = pendingOrUnknown(stream);
		logger.info("Contents of stream '{}' of tenant '{}' are erased by '{}': {} in all. {}", request.streamId(),
				request.tenantId(), request.actor(), done.total(), String.join(" ", pending));
		return new ErasureReport(done.known(), done.erased(), done.notErased(), done.outside(), pending);
	}

	/** The contents are erased by now, whatever the database answers. */
	private List<String> pendingOrUnknown(ErasedStream stream) {
		try {
			return pending(stream);
		}
		catch (DataAccessException ex) {
			logger.debug("It is unknown whether relays have passed the events.", ex);
			return List.of("It is unknown whether relays have passed the events: the database does not answer. Consider"
					+ " the same erasure again.");
		}
	}

	/**
	 * A projector, or an append, may hold in another order what this needs. An owner that
	 * is lost may hold its lease, and cannot be taken over before this lets go of it.
	 */
	private ErasureReport tried(ErasureRequest request, ErasedStream stream) {
		for (int tries = 1;; tries++) {
			try {
				return this.transactions.write(() -> inTransaction(request, stream));
			}
			catch (DataAccessException ex) {
				boolean late = DatabaseFailure.isLockTimeOut(ex);
				if (tries == MOST_TRIES || !(late || ex instanceof PessimisticLockingFailureException)) {
					throw ex;
				}
				logger.debug("An erasure was in the way of another transaction, and is tried again.", ex);
				LockSupport.parkNanos(this, late ? PAUSE.toNanos() : 0);
			}
		}
	}

	private ErasureReport inTransaction(ErasureRequest request, ErasedStream stream) {
		requireRights(stream, false);
		this.lock.take(this.jdbc);
		boolean known = this.steps.store().lock(stream, this.jdbc);
		List<Erased> erased = known ? counts(ErasureStep::erase, stream) : List.of();
		this.audit.add(request, erased);
		return report(known, erased, stream, List.of());
	}

	/** Before any other statement, which would fail without saying what is missing. */
	private void requireRights(ErasedStream stream, boolean looks) {
		List<TableRights> needed = new ArrayList<>(looks ? List.of() : this.audit.rights());
		this.steps.rights().forEach((each) -> needed.add(looks ? TableRights.of(each.table(), "select") : each));
		List<String> missing = new ArrayList<>(this.audit.missingRights(needed));
		if (missing.isEmpty()) {
			this.steps.all().forEach((step) -> missing.addAll(step.missingRights(stream, this.jdbc, looks)));
		}
		if (!missing.isEmpty()) {
			throw new ErasureNotAllowedException(this.audit.role(), missing);
		}
	}

	private List<Erased> counts(Count count, ErasedStream stream) {
		List<Erased> counts = new ArrayList<>();
		this.steps.all()
			.forEach((step) -> count.of(step, stream, this.jdbc)
				.forEach((each) -> counts.add(new Erased(each.what(), each.count()))));
		return counts;
	}

	private ErasureReport report(boolean known, List<Erased> erased, ErasedStream stream, List<String> pending) {
		return new ErasureReport(known, erased, texts(ErasureStep::notErased, stream),
				texts(ErasureStep::outside, stream), pending);
	}

	private List<String> texts(Texts texts, ErasedStream stream) {
		List<String> all = new ArrayList<>();
		this.steps.all().forEach((step) -> all.addAll(texts.of(step, stream, this.jdbc)));
		return all;
	}

	private List<String> pending(ErasedStream stream) {
		long end = System.nanoTime() + RELAYS_WITHIN.toNanos();
		List<String> pending = this.transactions.read(() -> texts(ErasureStep::pending, stream));
		while (!pending.isEmpty() && System.nanoTime() - end < 0 && !Thread.currentThread().isInterrupted()) {
			LockSupport.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(100));
			pending = this.transactions.read(() -> texts(ErasureStep::pending, stream));
		}
		return pending;
	}

	private interface Count {

		List<ErasedCount> of(ErasureStep step, ErasedStream stream, JdbcClient jdbc);

	}

	private interface Texts {

		List<String> of(ErasureStep step, ErasedStream stream, JdbcClient jdbc);

	}

}
