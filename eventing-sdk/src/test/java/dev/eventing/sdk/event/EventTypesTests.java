package dev.eventing.sdk.event;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class EventTypesTests {

	@Test
	void namesAClassByItsAnnotation() {
		assertThat(EventTypes.nameOf(Named.class)).isEqualTo("order.placed");
	}

	@Test
	void namesAClassBySimpleNameWithoutAnnotation() {
		assertThat(EventTypes.nameOf(Plain.class)).isEqualTo("Plain");
	}

	@Test
	void doesNotPassANameOnToSubclasses() {
		assertThat(EventTypes.nameOf(NamedChild.class)).isEqualTo("NamedChild");
	}

	@Test
	void refusesClassesWithoutAName() {
		Object anonymous = new Object() {
		};
		assertThatExceptionOfType(InvalidEventException.class).isThrownBy(() -> EventTypes.nameOf(anonymous.getClass()))
			.withMessageContaining("EventTypesTests$");
		assertThatExceptionOfType(InvalidEventException.class).isThrownBy(() -> EventTypes.nameOf(Blank.class));
	}

	/** What happened is not told by a text, a number, a list or a date. */
	@ParameterizedTest
	@MethodSource("values")
	void refusesValuesOfTheJdkAsPayloads(Object payload) {
		assertThatExceptionOfType(InvalidEventException.class).isThrownBy(() -> EventTypes.nameOfPayload(payload))
			.withMessageContaining("is no class of events, so it gives no type to one. Consider a record");
		TenantId tenant = TenantId.of("acme");
		assertThatExceptionOfType(InvalidEventException.class).isThrownBy(() -> Event.builder(tenant, payload).build());
		assertThat(Event.builder(tenant, payload).type("t").build().type()).isEqualTo("t");
	}

	static Stream<Arguments> values() {
		return Stream.<Object>of("text", 1, List.of("a"), new Plain[0], new byte[0], Instant.EPOCH).map(Arguments::of);
	}

	@Test
	void takesAPayloadThatIsAnObject() {
		assertThat(EventTypes.nameOfPayload(new Plain())).isEqualTo("Plain");
		assertThat(EventTypes.nameOfPayload(new HashMap<>())).isEqualTo("HashMap");
	}

	@EventType("order.placed")
	static class Named {

	}

	static class NamedChild extends Named {

	}

	record Plain() {

	}

	@EventType(" ")
	record Blank() {

	}

}
