package dev.eventing.sdk.event;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/** Events and texts drawn from a seed, so that a failure can be repeated. */
final class WireSamples {

	private static final List<String> PIECES = List.of("order", "%", "%41", "100%", " ", "\"", "\u00e4", "\u20ac",
			"\ud83d\ude00", "\r\n", "\t", "\u0001", "\u007f", "\u0085", "\u2028", ":", ";", ",", "\\", "'",
			"Nats-Msg-Id: x", "\uffff");

	private final Random random;

	WireSamples(long seed) {
		this.random = new Random(seed);
	}

	Random random() {
		return this.random;
	}

	/** Text of one to eight pieces. */
	String text() {
		StringBuilder text = new StringBuilder();
		for (int i = this.random.nextInt(8); i >= 0; i--) {
			text.append(PIECES.get(this.random.nextInt(PIECES.size())));
		}
		return text.toString();
	}

	@Nullable String textOrNull() {
		return this.random.nextBoolean() ? text() : null;
	}

	Event<Map<String, Object>> event() {
		EventBuilder<Map<String, Object>> builder = Event
			.builder(TenantId.of("tenant-" + this.random.nextInt(10)), Map.<String, Object>of("text", text()))
			.id(new UUID(this.random.nextLong(), this.random.nextLong()))
			.type("t" + text())
			.source("s" + text())
			.time(Instant.ofEpochSecond(this.random.nextInt(), this.random.nextInt(1_000_000_000)))
			.streamId(textOrNull())
			.streamVersion(this.random.nextBoolean() ? this.random.nextLong() : null)
			.key(textOrNull())
			.correlationId(textOrNull())
			.causationId(textOrNull());
		if (this.random.nextBoolean()) {
			builder.header("traceparent", "00-" + this.random.nextInt())
				.header("X-Twice", "1")
				.header("x-twice", "2%41");
		}
		return builder.build();
	}

}
