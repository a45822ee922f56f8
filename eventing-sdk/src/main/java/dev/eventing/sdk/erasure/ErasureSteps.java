package dev.eventing.sdk.erasure;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import dev.eventing.sdk.deadletter.ledger.LetterErasure;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.idempotency.ClaimErasure;
import dev.eventing.sdk.projection.ledger.BackfillErasure;
import dev.eventing.sdk.projection.ledger.EffectErasure;
import dev.eventing.sdk.projection.ledger.ReadModelErasure;
import dev.eventing.sdk.relay.RelayErasure;
import dev.eventing.sdk.schema.ErasedStream;
import dev.eventing.sdk.schema.ErasureStep;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.schema.TableRights;
import dev.eventing.sdk.store.StoreErasure;

/**
 * The steps of an erasure, in their order: one for each owner of tables with contents of
 * events. The claims come first: afterwards no projector applies one of the events, and
 * its changes are visible to the steps behind. Effects come behind the read models, which
 * end the tenures that store some. A new owner adds its step here.
 */
record ErasureSteps(StoreErasure store, ReadModelErasure readModels, List<ErasureStep> all) {

	static ErasureSteps of(EventingSchema schema) {
		StoreErasure store = new StoreErasure(schema);
		ReadModelErasure readModels = new ReadModelErasure(schema);
		return new ErasureSteps(store, readModels, List.of(new ClaimErasure(schema), new BackfillErasure(schema), store,
				new LetterErasure(schema), new RelayErasure(schema), readModels, new EffectErasure(schema)));
	}

	ErasedStream stream(TenantId tenantId, String streamId) {
		return new ErasedStream(tenantId.value(), streamId, this.store.eventIds(), this.store.positions(),
				this.readModels.projectors());
	}

	/** The rights to the SDK's tables that they need. */
	List<TableRights> rights() {
		return this.all.stream().flatMap((step) -> step.rights().stream()).toList();
	}

	/** The SDK's tables from which something is erased. */
	Set<String> tables() {
		return this.all.stream().flatMap((step) -> step.tables().stream()).collect(Collectors.toSet());
	}

}
