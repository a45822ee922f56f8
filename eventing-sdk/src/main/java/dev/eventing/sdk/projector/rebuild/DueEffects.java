package dev.eventing.sdk.projector.rebuild;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.projection.ledger.Effect;
import dev.eventing.sdk.projection.ledger.EffectLedger;
import dev.eventing.sdk.projector.effect.AppendedEffects;
import dev.eventing.sdk.projector.failure.FailureClassifier;
import dev.eventing.sdk.projector.failure.FailureText;
import dev.eventing.sdk.projector.failure.OwnershipLostException;
import dev.eventing.sdk.projector.transaction.FencedTransactions;
import dev.eventing.sdk.worker.SupervisedWorker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * Appends the effects that a switch has found due, on the node that owns the live
 * generation and beside its lanes. They come after the switch, so a crash between the two
 * leaves them due: the next owner appends them. Thread-safe.
 */
public final class DueEffects {

	private static final Logger logger = LoggerFactory.getLogger(DueEffects.class);

	/** In one transaction. */
	private static final int SOME = 100;

	private static final Duration PAUSE = Duration.ofSeconds(1);

	private final ProjectorId projector;

	private final FencedTransactions transactions;

	private final EffectLedger ledger;

	private final Supplier<AppendedEffects> appended;

	private final FailureText texts;

	private final SupervisedWorker worker;

	/**
	 * Starts no thread yet.
	 * @param appended asked only if some are due
	 * @param texts describes why some cannot be appended
	 */
	public DueEffects(ProjectorId projector, FencedTransactions transactions, EffectLedger ledger,
			Supplier<AppendedEffects> appended, FailureText texts) {
		this.projector = projector;
		this.transactions = transactions;
		this.ledger = ledger;
		this.appended = appended;
		this.texts = texts;
		this.worker = SupervisedWorker.of(projector.thread("effects"), this::run);
	}

	/** Its thread ends when none are due any more: only a switch makes others. */
	public SupervisedWorker worker() {
		return this.worker;
	}

	private void run() throws InterruptedException {
		boolean ended = false;
		while (!ended && !this.worker.isStopping()) {
			try {
				ended = sendSome() == 0;
				this.worker.beat();
			}
			catch (OwnershipLostException ex) {
				return;
			}
			catch (DataAccessException | TransactionException ex) {
				if (!FailureClassifier.isTransient(ex) && !FailureClassifier.isTimeOut(ex)) {
					// Nothing else shows that these effects are missing.
					throw new DueEffectsRefusedException(this.projector, this.texts.of(ex));
				}
				logger.debug("Effects of projector '{}' that are due cannot be appended now.", this.projector, ex);
				ended = this.worker.awaitStop(PAUSE);
			}
		}
	}

	/** Returns the number of effects that are not due any more; 0 if none were. */
	private int sendSome() {
		int sent = this.transactions.execute(() -> {
			List<Effect> due = this.ledger.due(SOME);
			if (due.isEmpty()) {
				return 0;
			}
			Set<UUID> present = present(due);
			this.appended.get()
				.append(due.stream().filter((effect) -> !present.contains(effect.event().id())).toList());
			this.ledger.sent(due);
			return due.size();
		});
		if (sent > 0) {
			logger.info("Projector '{}' has appended {} effects of events that its former generation had not applied.",
					this.projector, sent);
		}
		return sent;
	}

	private Set<UUID> present(List<Effect> due) {
		Map<TenantId, List<UUID>> ids = due.stream()
			.collect(Collectors.groupingBy((effect) -> effect.cause().tenantId(),
					Collectors.mapping((effect) -> effect.event().id(), Collectors.toCollection(ArrayList::new))));
		Set<UUID> present = new HashSet<>();
		ids.forEach((tenant, some) -> present.addAll(this.ledger.present(tenant, some)));
		return present;
	}

}
