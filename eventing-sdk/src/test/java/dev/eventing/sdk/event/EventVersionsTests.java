package dev.eventing.sdk.event;

import java.util.List;
import java.util.Map;

import dev.eventing.sdk.InvalidDeclarationException;
import dev.eventing.sdk.event.Orders.NamedCurrency;
import dev.eventing.sdk.event.Orders.NamedUnit;
import dev.eventing.sdk.event.Orders.Placed;
import dev.eventing.sdk.event.Orders.SplitTotal;
import dev.eventing.sdk.event.Orders.Step;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/** A gap in a chain of versions is found before an event is. */
class EventVersionsTests {

	@Test
	void aGapBetweenUpcastersIsNamed() {
		assertThatExceptionOfType(InvalidDeclarationException.class)
			.isThrownBy(() -> EventVersions.of(List.of(step("a", 1), step("a", 3), step("b", 2), step("b", 4)),
					List.of(), WrittenVersions.NEWEST))
			.satisfies((ex) -> assertThat(ex.problems()).hasSize(2))
			.withMessageContaining("No upcaster leads from version 2 of event type 'a' to version 3.")
			.withMessageContaining("No upcaster leads from version 3 of event type 'b' to version 4.");
	}

	@Test
	void aGapBelowTheVersionOfAClassIsNamed() {
		EventVersions none = EventVersions.NONE;
		assertThatExceptionOfType(InvalidDeclarationException.class)
			.isThrownBy(() -> none.requireComplete(Placed.class))
			.withMessageContaining("from version 1 of event type 'order.placed' to version 2.")
			.withMessageContaining("from version 2 of event type 'order.placed' to version 3.");
		assertThatNoException().isThrownBy(() -> none.requireComplete(String.class));
	}

	@Test
	void upcastersUnderAnyNameOfATypeFormOneChain() {
		EventVersions versions = EventVersions.of(List.of(new SplitTotal(), new NamedCurrency()), List.of(),
				WrittenVersions.NEWEST);
		assertThatNoException().isThrownBy(() -> versions.requireComplete(Placed.class));
		EventVersions twice = EventVersions.of(List.of(new SplitTotal(), step("OrderCreated", 1), new NamedCurrency()),
				List.of(), WrittenVersions.NEWEST);
		assertThatExceptionOfType(InvalidDeclarationException.class)
			.isThrownBy(() -> twice.requireComplete(Placed.class))
			.withMessageContaining("is for version 1 of event type 'OrderCreated', and so is");
	}

	@Test
	void twoUpcastersOfOneVersionAreRefused() {
		assertThatExceptionOfType(InvalidDeclarationException.class)
			.isThrownBy(() -> EventVersions.of(List.of(step("a", 1), step("a", 1)), List.of(), WrittenVersions.NEWEST))
			.withMessageContaining("for version 1 of event type 'a', and so is");
		assertThatExceptionOfType(InvalidDeclarationException.class)
			.isThrownBy(() -> EventVersions.of(List.of(step("a", 0), step("a", 1)), List.of(), WrittenVersions.NEWEST))
			.withMessageContaining("Consider a version from 1 on.");
	}

	@Test
	void aWrittenVersionNeedsADowncaster() {
		assertThatExceptionOfType(InvalidDeclarationException.class)
			.isThrownBy(() -> EventVersions.of(List.of(), List.of(new NamedUnit()),
					new WrittenVersions(Map.of("order.placed", 1, "typo", 2))))
			.withMessageContaining("No downcaster leads from version 2 of event type 'order.placed' to version 1.")
			.withMessageContaining("No downcaster leads from version 3 of event type 'typo' to version 2.");
	}

	@Test
	void anAnnotationThatIsNotValidIsNamed() {
		assertThatExceptionOfType(InvalidEventException.class).isThrownBy(() -> EventTypes.versionOf(Zero.class))
			.withMessageContaining(Zero.class.getName());
		assertThatExceptionOfType(InvalidEventException.class).isThrownBy(() -> EventTypes.namesOf(Twice.class))
			.withMessageContaining("[a, a]");
		assertThat(EventTypes.namesOf(Placed.class)).containsExactly("order.placed", "OrderCreated");
		assertThat(EventTypes.versionOf(Placed.class)).isEqualTo(3);
		assertThat(EventTypes.namesOf(Plain.class)).containsExactly("Plain");
		assertThat(EventTypes.versionOf(Plain.class)).isOne();
	}

	private static Step step(String type, int from) {
		return new Step(type, from, (payload) -> payload);
	}

	@EventType(value = "a", version = 0)
	record Zero() {
	}

	@EventType(value = "a", aliases = "a")
	record Twice() {
	}

	record Plain() {
	}

}
