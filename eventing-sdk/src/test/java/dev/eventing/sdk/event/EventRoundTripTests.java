package dev.eventing.sdk.event;

import java.time.Instant;
import java.util.Locale;
import java.util.Map;

import dev.eventing.sdk.event.ReadResult.Readable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class EventRoundTripTests {

	private static final String SUBJECT = "order.placed";

	private final EventReader reader = new EventReader(EventJson.mapper());

	private final EventWriter writer = new EventWriter(EventJson.mapper());

	@Test
	void readsWhatWasWritten() {
		WireSamples samples = new WireSamples(20260131L);
		for (int round = 0; round < 2000; round++) {
			Event<Map<String, Object>> event = samples.event();
			Event<UnboundPayload> read = read(this.writer.write(SUBJECT, event), event.tenantId());
			Event<Map<String, Object>> bound = read.map((payload) -> payload.bind(Map.class));
			assertThat(withHeaders(bound, ownHeaders(read))).as("round %d", round).isEqualTo(event);
		}
	}

	@Test
	void writesWhatWasReadAsItWas() {
		WireSamples samples = new WireSamples(7L);
		for (int round = 0; round < 500; round++) {
			Event<Map<String, Object>> event = samples.event();
			RawEvent written = this.writer.write(SUBJECT, event);
			RawEvent again = this.writer.write(SUBJECT, read(written, event.tenantId()));
			assertThat(again.headers()).as("round %d", round).isEqualTo(written.headers());
			assertThat(again.payload()).as("round %d", round).isEqualTo(written.payload());
		}
	}

	@Test
	void writesHeadersOfPrintableAsciiOnly() {
		WireSamples samples = new WireSamples(11L);
		for (int round = 0; round < 500; round++) {
			EventHeaders headers = this.writer.write(SUBJECT, samples.event()).headers();
			for (String name : headers.names()) {
				assertThat(headers.all(name)).as(name).allMatch(HeaderText::isValue);
			}
		}
	}

	private Event<UnboundPayload> read(RawEvent raw, TenantId tenant) {
		ReadResult result = this.reader.read(raw, (type) -> tenant.value(), Instant.EPOCH);
		assertThat(result).isInstanceOf(Readable.class);
		return ((Readable) result).event();
	}

	/** The headers without those that stand for attributes. */
	private static EventHeaders ownHeaders(Event<?> event) {
		EventHeaders.Builder own = event.headers().toBuilder();
		for (String name : event.headers().names()) {
			String lower = name.toLowerCase(Locale.ROOT);
			if (lower.startsWith("ce-") || lower.equals("nats-msg-id") || lower.equals("content-type")) {
				own.set(name, null);
			}
		}
		return own.build();
	}

	private static <E> Event<E> withHeaders(Event<E> event, EventHeaders headers) {
		return event.toBuilder().headers(headers).build();
	}

}
