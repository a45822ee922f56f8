package dev.eventing.sdk.projector.delivery;

import java.nio.charset.StandardCharsets;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.EventHeaders;
import dev.eventing.sdk.event.RawEvent;
import dev.eventing.sdk.event.ReadResult;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.event.UnboundPayload;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Readable events of some tenants. */
public final class TenantEvents {

	private TenantEvents() {
	}

	/** An event at a place in no stream. */
	public static Work work(long sequence, String tenant, @Nullable String key) {
		SourceEvent source = StreamEvents.at(sequence, new RawEvent("x", EventHeaders.empty(), new byte[0]));
		Event<UnboundPayload> event = Event.builder(TenantId.of(tenant), "of the test")
			.type("Tested")
			.build()
			.map((payload) -> UnboundPayload.of("{}".getBytes(StandardCharsets.UTF_8), JsonMapper.shared()));
		return new Work(new RoutedEvent(source, new ReadResult.Readable(event), null, key), Settler.NONE);
	}

}
