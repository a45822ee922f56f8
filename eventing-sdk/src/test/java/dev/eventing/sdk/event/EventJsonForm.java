package dev.eventing.sdk.event;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Payloads, and the JSON that is stored of them. */
final class EventJsonForm {

	private EventJsonForm() {
	}

	static String written(Object payload) {
		return new String(new EventWriter(EventJson.mapper()).payload(payload), UTF_8);
	}

	static <T> T bound(String json, Class<T> type) {
		return UnboundPayload.of(json.getBytes(UTF_8), EventJson.mapper()).bind(type);
	}

	static void isKept(Object payload, String json) {
		assertThat(written(payload)).isEqualTo(json);
		assertThat(bound(json, payload.getClass())).isEqualTo(payload);
	}

	static void isRefused(String json, Class<?> type) {
		assertThatExceptionOfType(PayloadBindingException.class).isThrownBy(() -> bound(json, type));
	}

}
