package dev.eventing.sdk.schema;

import java.util.Map;

/**
 * The stream whose contents are erased, for the statements of an {@link ErasureStep}.
 *
 * @param tenantId its tenant; the parameter {@code :tenant}
 * @param streamId its id; the parameter {@code :stream}
 * @param eventIds a query of the {@code event_id} of all of its events, with these
 * parameters
 * @param positions a query of their {@code global_position}
 * @param projectors a query of the {@code projector_name} of all projectors that are
 * known, without generations beside the live ones
 */
public record ErasedStream(String tenantId, String streamId, String eventIds, String positions, String projectors) {

	/** The parameters of the queries. */
	public Map<String, Object> params() {
		return Map.of("tenant", this.tenantId, "stream", this.streamId);
	}

}
