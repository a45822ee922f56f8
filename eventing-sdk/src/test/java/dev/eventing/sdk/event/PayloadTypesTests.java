package dev.eventing.sdk.event;

import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class PayloadTypesTests {

	@Test
	void bindsByTheNameOnTheWire() {
		PayloadTypes<Shape> types = PayloadTypes.of(Circle.class, Square.class);
		assertThat(types.bind(event("circle", "{\"radius\": 2}"))).isEqualTo(new Circle(2));
		assertThat(types.bind(event("Square", "{\"side\": 3}"))).isEqualTo(new Square(3));
	}

	@Test
	void knowsAllThatASealedTypePermitsAtAnyDepth() {
		assertThat(PayloadTypes.ofSealed(Shape.class).names()).containsExactlyInAnyOrder("circle", "Square");
	}

	@Test
	void bindsEachClassThatASealedTypePermits() {
		PayloadTypes<Shape> types = PayloadTypes.ofSealed(Shape.class);
		for (int size = 1; size < 4; size++) {
			assertThat(types.bind(event("Square", "{\"side\": " + size + "}"))).isEqualTo(new Square(size));
			assertThat(types.bind(event("circle", "{\"radius\": " + size + "}"))).isEqualTo(new Circle(size));
		}
	}

	@Test
	void saysWhichTypeIsUnknown() {
		assertThatExceptionOfType(UnknownEventTypeException.class)
			.isThrownBy(() -> PayloadTypes.of(Circle.class).bind(event("Square", "{}")))
			.withMessageContaining("'Square'")
			.withMessageContaining("[circle]");
	}

	@Test
	void refusesWhatCannotBeToldApart() {
		assertThatExceptionOfType(InvalidEventException.class)
			.isThrownBy(() -> PayloadTypes.of(Circle.class, AlsoCircle.class))
			.withMessageContaining("'circle'");
		assertThatExceptionOfType(InvalidEventException.class).isThrownBy(() -> PayloadTypes.ofSealed(Circle.class));
		assertThatExceptionOfType(InvalidEventException.class).isThrownBy(() -> PayloadTypes.ofSealed(Leaky.class));
	}

	private static Event<UnboundPayload> event(String type, String json) {
		return Event.builder(TenantId.of("acme"), UnboundPayload.of(json.getBytes(UTF_8), EventJson.mapper()))
			.type(type)
			.build();
	}

	sealed interface Shape {

	}

	@EventType("circle")
	record Circle(int radius) implements Shape {
	}

	sealed interface Angular extends Shape {

	}

	record Square(int side) implements Angular {
	}

	@EventType("circle")
	record AlsoCircle() {
	}

	sealed interface Leaky {

	}

	static non-sealed class Hole implements Leaky {

	}

}
