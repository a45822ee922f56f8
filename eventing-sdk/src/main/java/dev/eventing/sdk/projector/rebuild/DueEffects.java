package dev.eventing.sdk.projector.rebuild;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.projection.ledger.Effect;
import dev.eventing.sdk.projection.ledger.EffectLedger;
import dev.eventing.sdk.projector.effect.AppendedEffects;
import dev.eventing.sdk.projector.transaction.FencedTransactions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends the effects that a switch has found due, on the node that owns the live
 * generation and beside its lanes. They come after the switch, so a crash between the two
 * leaves them due: the next owner appends them. Thread-safe.
 */
public final class DueEffects {

	private static final Logger logger = LoggerFactory.getLogger(DueEffects.class);

	/** In one transaction. */
	private static final int SOME = 100;

	private final ProjectorId projector;

	private final FencedTransactions transactions;

	private final EffectLedger ledger;

	private final AppendedEffects appended;

	/** Sends no query yet. */
	public DueEffects(ProjectorId projector, FencedTransactions transactions, EffectLedger ledger,
			AppendedEffects appended) {
		this.projector = projector;
		this.transactions = transactions;
		this.ledger = ledger;
		this.appended = appended;
	}

	/**
	 * Appends some of them.
	 * @return the number of effects that are not due any more; 0 if none were
	 * @throws dev.eventing.sdk.projector.failure.OwnershipLostException if this node does
	 * not own the projector
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	public int sendSome() {
		int sent = this.transactions.execute(() -> {
			List<Effect> due = this.ledger.due(SOME);
			if (due.isEmpty()) {
				return 0;
			}
			Set<UUID> present = present(due);
			this.appended.append(due.stream().filter((effect) -> !present.contains(effect.event().id())).toList());
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
