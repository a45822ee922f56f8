package dev.eventing.sdk.projection.ledger;

import java.util.List;
import java.util.Set;

import dev.eventing.sdk.schema.ErasedStream;
import dev.eventing.sdk.schema.ErasureStatement;
import dev.eventing.sdk.schema.ErasureStep;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.schema.TableRights;

/**
 * Deletes effects that are not appended yet, and that events of a stream have caused, or
 * that were to be appended to it. No handler causes them again: the events of the stream
 * have claims by then, and are passed over in builds. Notes without contents stay.
 * Thread-safe.
 */
public final class EffectErasure implements ErasureStep {

	private final String effects;

	/** Sends no query yet. */
	public EffectErasure(EventingSchema schema) {
		this.effects = schema.table("projection_effects");
	}

	@Override
	public Set<String> tables() {
		return Set.of("projection_effects");
	}

	@Override
	public List<TableRights> rights() {
		return List.of(TableRights.of("projection_effects", "select", "delete"));
	}

	/**
	 * An effect has the tenant of its cause. Reads all effects, of which there are few.
	 */
	@Override
	public List<ErasureStatement> statements(ErasedStream stream) {
		return List.of(ErasureStatement.deleting("effects of handlers", this.effects,
				"effect_id is not null and tenant_id = :tenant and (stream_id = :stream or event_id in ("
						+ stream.eventIds() + "))"));
	}

}
