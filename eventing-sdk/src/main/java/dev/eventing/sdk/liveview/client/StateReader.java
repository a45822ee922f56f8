package dev.eventing.sdk.liveview.client;

import java.util.ArrayList;
import java.util.List;

import dev.eventing.sdk.liveview.LiveState;
import dev.eventing.sdk.liveview.LiveVersion;
import dev.eventing.sdk.liveview.frame.WireForm;
import dev.eventing.sdk.liveview.ledger.LiveStates;
import dev.eventing.sdk.liveview.ledger.LiveStates.Address;
import dev.eventing.sdk.liveview.ledger.LiveStates.Found;
import dev.eventing.sdk.liveview.ledger.LiveStates.Stored;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.type.LogicalType;

/** Reads states in the form that subscribers get. Thread-safe. */
public final class StateReader {

	private final LiveStates states;

	private final JsonMapper mapper;

	/**
	 * Sends no query yet.
	 * @param mapper binds states to classes
	 */
	public StateReader(LiveStates states, JsonMapper mapper) {
		this.states = states;
		// Integers that JavaScript cannot hold are strings.
		this.mapper = mapper.rebuild()
			.enable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
			.withCoercionConfig(LogicalType.Integer,
					(config) -> config.setCoercion(CoercionInputShape.String, CoercionAction.TryConvert))
			.build();
	}

	/** The states of a view, in the order of the addresses. */
	public Read read(String view, List<Address> addresses) {
		Found found = this.states.find(view, addresses);
		List<LiveState> all = new ArrayList<>(addresses.size());
		for (int i = 0; i < addresses.size(); i++) {
			all.add(state(addresses.get(i), found.liveEpoch(), found.states().get(i)));
		}
		return new Read(found.liveEpoch(), all);
	}

	private LiveState state(Address address, long liveEpoch, @Nullable Stored stored) {
		if (stored == null) {
			return new LiveState(address.key(), new LiveVersion(liveEpoch, 0), null, null, this.mapper);
		}
		LiveVersion version = new LiveVersion(liveEpoch, stored.version());
		JsonNode tree = this.mapper.readTree(stored.json());
		return tree.isNull() ? new LiveState(address.key(), version, null, null, this.mapper)
				: new LiveState(address.key(), version, WireForm.pushed(tree), stored.updatedAt(), this.mapper);
	}

	/** A state that was written a moment ago. */
	public LiveState of(Address address, LiveVersion version, @Nullable JsonNode stored) {
		return new LiveState(address.key(), version, (stored != null) ? WireForm.pushed(stored) : null, null,
				this.mapper);
	}

	/** Reads and binds JSON. */
	JsonMapper mapper() {
		return this.mapper;
	}

	/**
	 * States of a view.
	 *
	 * @param liveEpoch its live epoch
	 * @param states in the order of the addresses
	 */
	public record Read(long liveEpoch, List<LiveState> states) {

		public Read {
			states = List.copyOf(states);
		}

	}

}
