package dev.eventing.sdk.event;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;

import dev.eventing.sdk.event.ReadResult.Readable;
import dev.eventing.sdk.event.ReadResult.Reason;
import dev.eventing.sdk.event.ReadResult.Unreadable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class EventReaderFuzzTests {

	private static final int ROUNDS = 20_000;

	private static final List<String> BODIES = List
		.of("{\"eventId\":\"1\",\"eventType\":\"t\",\"tenantId\":\"acme\",\"timestamp\":\"2026-01-01T00:00:00Z\","
				+ "\"payload\":{\"a\":[1,2.50,null,\"x\"]},\"metadata\":{\"streamId\":\"s\",\"sequence\":3,\"key\":\"k\"}}",
				"{\"specversion\":\"1.0\",\"id\":\"1\",\"type\":\"t\",\"source\":\"/s\",\"tenantid\":\"acme\","
						+ "\"subject\":\"s\",\"sequence\":\"3\",\"data\":{\"a\":1}}",
				"{\"specversion\":\"1.0\",\"id\":\"1\",\"type\":\"t\",\"source\":\"/s\",\"tenantid\":\"acme\","
						+ "\"data_base64\":\"eyJhIjoxfQ==\"}",
				"{\"eventId\":\"0198c2a4-0000-7000-8000-000000000000\",\"eventType\":\"t\",\"tenantId\":\"acme\","
						+ "\"payload\":1E+2147483648}",
				"{\"a\":1}", "");

	private static final List<String> NAMES = List.of("ce-id", "CE-Type", "ce-source", "ce-time", "ce-specversion",
			"ce-subject", "ce-tenantid", "ce-partitionkey", "ce-sequence", "ce-correlationid", "ce-causationid",
			"traceparent", "Content-Type", "");

	private static final List<String> VALUES = List.of("acme", "1.0", "application/cloudevents+json", "3",
			"2026-01-01T00:00:00Z", "%", "%00", "%C3%28", "", ";", "application/cloudevents", "99999999999999999999");

	private final WireSamples samples = new WireSamples(42L);

	private final Random random = this.samples.random();

	private final EventReader reader = new EventReader(EventJson.mapper());

	private final EventWriter writer = new EventWriter(EventJson.mapper());

	@Test
	void neverThrowsAndAlwaysTellsATypedReason() {
		Map<Reason, Integer> reasons = new EnumMap<>(Reason.class);
		int readable = 0;
		for (int round = 0; round < ROUNDS; round++) {
			ReadResult result = this.reader.read(raw(), tenant(subjectTenant()), Instant.EPOCH);
			if (result instanceof Readable read) {
				readable++;
				bindNeverFailsOtherwise(read.event().payload());
			}
			else if (result instanceof Unreadable unreadable) {
				reasons.merge(unreadable.reason(), 1, Integer::sum);
				assertThat(unreadable.detail()).as("round %d", round).isNotBlank().hasSizeLessThan(600);
			}
		}
		// The inputs would prove little if they did not get everywhere. Rows are not
		// read here, and no key expression is asked.
		assertThat(reasons.keySet())
			.isEqualTo(EnumSet.complementOf(EnumSet.of(Reason.INTERNAL_ERROR, Reason.STORED_ROW, Reason.INVALID_KEY)));
		assertThat(readable).isBetween(ROUNDS / 50, ROUNDS / 2);
	}

	private static void bindNeverFailsOtherwise(UnboundPayload payload) {
		try {
			assertThat(payload.<Map<String, Object>>bind(Map.class)).isNotNull();
		}
		catch (PayloadBindingException expected) {
			assertThat(expected).hasNoCause();
		}
	}

	private RawEvent raw() {
		return switch (this.random.nextInt(4)) {
			case 0 -> new RawEvent("s", headers(EventHeaders.builder(), 6), randomBytes());
			case 1 -> new RawEvent("s", headers(EventHeaders.builder(), 2), mutated(body()));
			case 2 -> new RawEvent("s",
					headers(EventHeaders.builder().add("Content-Type", "application/cloudevents+json"), 1),
					mutated(body()));
			default -> mutated(this.writer.write("s", this.samples.event()));
		};
	}

	private RawEvent mutated(RawEvent valid) {
		EventHeaders.Builder headers = valid.headers().toBuilder();
		for (String name : valid.headers().names()) {
			if (this.random.nextInt(8) == 0) {
				headers.set(name, this.random.nextBoolean() ? value() : null);
			}
		}
		return new RawEvent("s", headers(headers, 1), mutated(valid.payload()));
	}

	private byte[] body() {
		return BODIES.get(this.random.nextInt(BODIES.size())).getBytes(StandardCharsets.UTF_8);
	}

	private byte[] mutated(byte[] valid) {
		byte[] bytes = valid.clone();
		for (int i = this.random.nextInt(3); i > 0 && bytes.length > 0; i--) {
			bytes[this.random.nextInt(bytes.length)] = (byte) this.random.nextInt(256);
		}
		return bytes;
	}

	private byte[] randomBytes() {
		byte[] bytes = new byte[this.random.nextInt(64)];
		this.random.nextBytes(bytes);
		return bytes;
	}

	private EventHeaders headers(EventHeaders.Builder headers, int atMost) {
		for (int i = this.random.nextInt(atMost + 1); i > 0; i--) {
			headers.add(NAMES.get(this.random.nextInt(NAMES.size())), value());
		}
		return headers.build();
	}

	private String value() {
		return switch (this.random.nextInt(3)) {
			case 0 -> this.samples.text();
			case 1 -> new String(randomBytes(), StandardCharsets.UTF_8);
			default -> VALUES.get(this.random.nextInt(VALUES.size()));
		};
	}

	private static SubjectTenant tenant(@Nullable String token) {
		return (type) -> token;
	}

	private @Nullable String subjectTenant() {
		return switch (this.random.nextInt(6)) {
			case 0 -> "acme";
			case 1 -> this.samples.text();
			default -> null;
		};
	}

}
