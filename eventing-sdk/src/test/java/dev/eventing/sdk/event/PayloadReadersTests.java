package dev.eventing.sdk.event;

import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.List;

import org.junit.jupiter.api.Test;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class PayloadReadersTests {

	private static final JsonMapper SNAKE_CASE = EventJson.mapper()
		.rebuild()
		.propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
		.build();

	private static final JsonMapper STRICT = EventJson.mapper()
		.rebuild()
		.enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
		.build();

	private static UnboundPayload payload(String json, JsonMapper mapper) {
		return UnboundPayload.of(json.getBytes(StandardCharsets.UTF_8), mapper);
	}

	@Test
	void createsOneReaderForEachType() {
		PayloadReaders readers = PayloadReaders.of(EventJson.mapper());
		assertThat(readers.to(Placed.class)).isSameAs(readers.to(Placed.class)).isNotSameAs(readers.to(Paid.class));
		Type lists = new TypeReference<List<Placed>>() {
		}.getType();
		Type equalLists = new TypeReference<List<Placed>>() {
		}.getType();
		assertThat(readers.to(lists)).isSameAs(readers.to(equalLists)).isNotSameAs(readers.to(List.class));
	}

	@Test
	void areThoseOfTheSameMapperOnly() {
		PayloadReaders readers = PayloadReaders.of(STRICT);
		assertThat(PayloadReaders.of(STRICT)).isSameAs(readers);
		assertThat(PayloadReaders.of(SNAKE_CASE)).isNotSameAs(readers);
		assertThat(PayloadReaders.of(STRICT).mapper()).isSameAs(STRICT);
	}

	@Test
	void bindTheSameTypeByEachMapperInTurns() {
		String json = "{\"order_id\":\"1\",\"orderId\":\"2\"}";
		UnboundPayload byDefault = payload(json, EventJson.mapper());
		UnboundPayload snakeCase = payload(json, SNAKE_CASE);
		UnboundPayload strict = payload(json, STRICT);
		for (int turn = 0; turn < 3; turn++) {
			assertThat(snakeCase.<Placed>bind(Placed.class)).isEqualTo(new Placed("1"));
			assertThat(byDefault.<Placed>bind(Placed.class)).isEqualTo(new Placed("2"));
			assertThatExceptionOfType(PayloadBindingException.class).isThrownBy(() -> strict.bind(Placed.class));
			assertThat(payload(json, SNAKE_CASE).<Placed>bind(Placed.class)).isEqualTo(new Placed("1"));
			assertThat(payload(json, EventJson.mapper()).<Placed>bind(Placed.class)).isEqualTo(new Placed("2"));
		}
	}

	@Test
	void failForATypeEachTime() {
		UnboundPayload payload = payload("{}", STRICT);
		for (int turn = 0; turn < 3; turn++) {
			assertThatExceptionOfType(PayloadBindingException.class).isThrownBy(() -> payload.bind(Runnable.class));
		}
	}

	@Test
	void bindToTypesBeyondThoseThatAreKept() {
		PayloadReaders readers = PayloadReaders.of(STRICT.rebuild().build());
		Class<?> one = String.class;
		Class<?> other = Long.class;
		for (int count = 0; count <= PayloadReaders.MAX_TYPES; count += 2) {
			readers.to(one);
			readers.to(other);
			one = one.arrayType();
			other = other.arrayType();
		}
		assertThat(new UnboundPayload("{\"orderId\":\"1\"}".getBytes(StandardCharsets.UTF_8), readers)
			.<Placed>bind(Placed.class)).isEqualTo(new Placed("1"));
		assertThat(readers.to(Placed.class)).isNotSameAs(readers.to(Placed.class));
	}

	record Placed(String orderId) {

	}

	record Paid(String orderId) {

	}

}
