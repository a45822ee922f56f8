package dev.eventing.sdk.event;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Which class may write the events of a type. */
class EventClassesTests {

	private final EventWriter writer = new EventWriter(EventJson.mapper());

	@Test
	void theFirstClassKeepsItsType() {
		write(new Users.Created("ada"));
		assertThatExceptionOfType(InvalidEventException.class).isThrownBy(() -> write(new Groups.Created("staff")))
			.withMessageContaining(Users.Created.class.getName())
			.withMessageContaining(Groups.Created.class.getName())
			.withMessageContaining("event type 'Created'")
			.withMessageContaining("@EventType");
		assertThatCode(() -> write(new Users.Created("bob"))).doesNotThrowAnyException();
	}

	@Test
	void aClassThatAHandlerTakesKeepsItsType() {
		this.writer.handled("Created", Groups.Created.class);
		assertThatExceptionOfType(InvalidEventException.class).isThrownBy(() -> write(new Users.Created("ada")))
			.withMessageContaining(Groups.Created.class.getName());
		assertThatCode(() -> write(new Groups.Created("staff"))).doesNotThrowAnyException();
	}

	@Test
	void twoClassesThatAnAnnotationGivesOneTypeAreRefusedToo() {
		write(new Named.One());
		assertThatExceptionOfType(InvalidEventException.class).isThrownBy(() -> write(new Named.Copied()));
	}

	@Test
	void handlersMayReadIntoAClassOfTheirOwnWhereAnAnnotationGivesBothTheType() {
		this.writer.handled("thing.named", Named.Copied.class);
		assertThatCode(() -> write(new Named.One())).doesNotThrowAnyException();
	}

	@Test
	void aTypeThatTheEventIsGivenIsNotThatOfItsClass() {
		write(new Users.Created("ada"));
		Event<Groups.Created> event = Event.builder(TenantId.of("acme"), new Groups.Created("staff"))
			.type("group.created")
			.build();
		assertThatCode(() -> this.writer.write("x.acme.created", event)).doesNotThrowAnyException();
	}

	private void write(Object payload) {
		this.writer.write("x.acme.created", Event.builder(TenantId.of("acme"), payload).build());
	}

	interface Users {

		record Created(String name) {
		}

	}

	interface Groups {

		record Created(String title) {
		}

	}

	interface Named {

		@EventType("thing.named")
		record One() {
		}

		@EventType("thing.named")
		record Copied() {
		}

	}

}
