package dev.eventing.sdk.event;

import org.junit.jupiter.api.Test;

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
