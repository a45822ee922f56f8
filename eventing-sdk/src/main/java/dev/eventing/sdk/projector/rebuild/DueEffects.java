package dev.eventing.sdk.projector.rebuild;

import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.event.Quoted;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.jdbc.BoundedDataSource;
import dev.eventing.sdk.projection.ledger.Effect;
import dev.eventing.sdk.projection.ledger.EffectLedger;
import dev.eventing.sdk.projection.ledger.EffectTarget;
import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.effect.AppendedEffects;
import dev.eventing.sdk.projector.failure.FailureClassifier;
import dev.eventing.sdk.projector.failure.FailureText;
import dev.eventing.sdk.projector.failure.OwnershipLostException;
import dev.eventing.sdk.projector.transaction.FencedTransactions;
import dev.eventing.sdk.worker.SupervisedWorker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionException;

/**
 * Appends the effects that a switch has found due, on the node that owns the live
 * generation and beside its lanes. They come after the switch, so a crash between the two
 * leaves them due: the next owner appends them. Each transaction has the effects of one
 * tenant, as those of handlers may have. Thread-safe.
 */
public final class DueEffects {

	private static final Logger logger = LoggerFactory.getLogger(DueEffects.class);

	/** In one transaction. */
	private static final int SOME = 100;

	private static final Duration PAUSE = Duration.ofSeconds(1);

	private final ProjectorId projector;

	private final FencedTransactions reading;

	private final TenantAppends appending;

	private final EffectLedger ledger;

	private final Supplier<AppendedEffects> appended;

	private final FailureText texts;

	private final SupervisedWorker worker;

	private final HeldEffects held = new HeldEffects();

	/**
	 * Starts no thread yet.
	 * @param reading transactions without a tenant
	 * @param appending transactions that have one, where those of handlers do
	 * @param appended asked only if some are due
	 * @param texts describes why some cannot be appended
	 */
	public DueEffects(ProjectorId projector, FencedTransactions reading, TenantAppends appending, EffectLedger ledger,
			Supplier<AppendedEffects> appended, FailureText texts) {
		this.projector = projector;
		this.reading = reading;
		this.appending = appending;
		this.ledger = ledger;
		this.appended = appended;
		this.texts = texts;
		this.worker = SupervisedWorker.of(projector.thread("effects"), this::run);
	}

	/**
	 * Whether a switch has left effects for the owner of the live generation.
	 * @throws DataAccessException if the database does not answer
	 */
	public static boolean areLeft(ProjectorId projector, ProjectorServices services) {
		JdbcTemplate jdbc = new JdbcTemplate(
				BoundedDataSource.of(services.dataSource(), services.jdbc().statementTimeout()));
		return new EffectLedger(jdbc, services.schema(), projector).hasDue();
	}

	/** Its thread ends when none are due any more: only a switch makes others. */
	public SupervisedWorker worker() {
		return this.worker;
	}

	private void run() throws InterruptedException {
		this.held.begin();
		boolean ended = false;
		while (!ended && !this.worker.isStopping()) {
			try {
				ended = appendSome();
			}
			catch (OwnershipLostException ex) {
				return;
			}
			catch (DataAccessException | TransactionException ex) {
				if (!isTemporary(ex)) {
					throw ex;
				}
				logger.debug("Effects of projector '{}' that are due cannot be appended now.", this.projector, ex);
				this.held.giveRoundUp();
				ended = this.worker.awaitStop(PAUSE);
			}
		}
		if (!this.held.refused().isEmpty()) {
			// Nothing else shows that these effects are missing.
			throw new DueEffectsRefusedException(this.projector, this.held.refused());
		}
	}

	/** Returns whether there is nothing left to do. */
	private boolean appendSome() throws InterruptedException {
		List<Effect> due = this.reading.look(() -> this.ledger.due(SOME, this.held.targets()));
		byTenant(due).forEach(this::send);
		beat();
		if (!due.isEmpty() && !this.held.isFull()) {
			return false;
		}
		return !this.held.endRound() || this.worker.awaitStop(PAUSE);
	}

	/** A failure that is shown stays so while some effects are refused. */
	private void beat() {
		if (this.worker.failure() == null || !this.held.isSomeRefused()) {
			this.worker.beat();
		}
	}

	private static boolean isTemporary(RuntimeException failure) {
		return FailureClassifier.isTransient(failure) || FailureClassifier.isTimeOut(failure);
	}

	private static Map<TenantId, List<Effect>> byTenant(List<Effect> due) {
		return due.stream()
			.collect(Collectors.groupingBy((effect) -> effect.cause().tenantId(), LinkedHashMap::new,
					Collectors.toList()));
	}

	/**
	 * If something refuses them, one by one. Later ones of a stream whose effect is held
	 * up wait, so that the stream has them in their order.
	 */
	private void send(TenantId tenant, List<Effect> due) {
		AtomicBoolean begun = new AtomicBoolean();
		try {
			append(tenant, due, begun);
		}
		catch (OwnershipLostException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			if (isTemporary(ex)) {
				requireDatabase();
			}
			// Without a transaction it is about the tenant, not about one of its streams.
			if (due.size() == 1 || !begun.get()) {
				due.forEach((effect) -> hold(EffectTarget.of(effect), ex));
				return;
			}
			due.stream()
				.filter((effect) -> !this.held.isHeld(EffectTarget.of(effect)))
				.forEach((effect) -> send(tenant, List.of(effect)));
		}
	}

	/**
	 * Tells a database that does not answer, for which all effects wait, from a failure
	 * that only one tenant or stream has.
	 */
	private void requireDatabase() {
		this.reading.look(this.ledger::hasDue);
	}

	private void hold(EffectTarget target, RuntimeException failure) {
		if (isTemporary(failure) && !isRefusedTenant(failure)) {
			logger.debug("Effects of projector '{}' that are due cannot be appended to stream {} of tenant '{}' now.",
					this.projector, Quoted.of(target.streamId()), target.tenantId(), failure);
			this.held.await(target, this.texts.of(failure));
		}
		else {
			this.held.refuse(target, this.texts.of(failure));
		}
	}

	/** Such as by a resolver that does not know the tenant: no database was asked. */
	private static boolean isRefusedTenant(RuntimeException failure) {
		return failure instanceof CannotCreateTransactionException created && !created.contains(SQLException.class);
	}

	private void append(TenantId tenant, List<Effect> due, AtomicBoolean begun) {
		int sent = this.appending.execute(tenant, () -> {
			begun.set(true);
			// An erasure may have deleted some since they were read.
			List<Effect> taken = this.ledger.take(due);
			Set<UUID> present = this.ledger.present(tenant,
					taken.stream().map((effect) -> effect.event().id()).toList());
			this.appended.get()
				.append(taken.stream().filter((effect) -> !present.contains(effect.event().id())).toList());
			return taken.size();
		});
		logger.info("Projector '{}' has appended {} effects of events that its former generation had not applied.",
				this.projector, sent);
	}

	/** Runs an action in a transaction of a tenant. */
	@FunctionalInterface
	public interface TenantAppends {

		int execute(TenantId tenant, Supplier<Integer> action);

	}

}
