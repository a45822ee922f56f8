package dev.eventing.sdk.event;

import java.nio.charset.StandardCharsets;
import java.time.Instant;

import dev.eventing.sdk.event.ReadResult.Readable;
import dev.eventing.sdk.event.ReadResult.Unreadable;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/** A reader of messages, and what it makes of one. */
abstract class EventReaderSetup {

	static final Instant RECEIVED = Instant.parse("2026-01-31T12:00:00Z");

	static final String ID = "0195f2c4-7b1a-7c3e-8f00-0123456789ab";

	final EventReader reader = new EventReader(EventJson.mapper());

	static EventHeaders.Builder binary() {
		return EventHeaders.builder()
			.add("ce-specversion", "1.0")
			.add("ce-id", ID)
			.add("ce-type", "order.placed")
			.add("ce-source", "/orders")
			.add("ce-tenantid", "acme");
	}

	ReadResult read(EventHeaders.Builder headers, String body, @Nullable String subjectTenant) {
		return this.reader.read(new RawEvent("order.placed", headers.build(), body.getBytes(StandardCharsets.UTF_8)),
				(type) -> subjectTenant, RECEIVED);
	}

	Event<UnboundPayload> readable(EventHeaders.Builder headers, String body) {
		ReadResult result = read(headers, body, null);
		assertThat(result).isInstanceOf(Readable.class);
		return ((Readable) result).event();
	}

	Unreadable unreadable(EventHeaders.Builder headers, String body, @Nullable String subjectTenant) {
		ReadResult result = read(headers, body, subjectTenant);
		assertThat(result).isInstanceOf(Unreadable.class);
		Unreadable unreadable = (Unreadable) result;
		assertThat(unreadable.detail()).contains("Consider ").doesNotContain("SECRET");
		return unreadable;
	}

	Unreadable unreadable(EventHeaders.Builder headers, String body) {
		return unreadable(headers, body, null);
	}

}
