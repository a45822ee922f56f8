package dev.eventing.sdk.guarantees;

import java.util.List;
import java.util.stream.Stream;

import dev.eventing.sdk.InvalidDeclarationException;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.EventType;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * A payload class that no payload can be bound to ends the start, and takes nothing from
 * the stream: its events wait for the next version, and none is a dead letter.
 */
class G5UnboundPayloadsIT {

	@AutoClose
	private final World world = World.create();

	@ParameterizedTest
	@MethodSource("handlers")
	void endTheStartBeforeTheirEventsAreTaken(Object handlers) {
		this.world.publish(World.ACME, "a", 1, 2);
		assertThatExceptionOfType(InvalidDeclarationException.class)
			.isThrownBy(() -> this.world.start(WorldApplication.of(handlers, new Accounts())))
			.withMessageContaining("can be bound to " + G5UnboundPayloadsIT.class.getName());
		assertThat(this.world.consumers()).isEmpty();
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(new Accounts()))) {
			await().until(() -> this.world.version(World.ACME, "a") == 2);
			assertThat(application.isActive()).isTrue();
		}
		assertThat(this.world.deadLetters(Accounts.PROJECTOR)).isEmpty();
	}

	static Stream<Named<Object>> handlers() {
		return Stream.of(Named.of("no constructor that the mapper may call", new TakesHidden()),
				Named.of("an abstract class, in a batch", new TakesAbstract()),
				Named.of("a property of an interface, in a list of records", new TakesBought()));
	}

	/** Everything else of it can be bound. */
	@Test
	void nameThePropertyThatNothingCanBeBoundTo() {
		assertThatExceptionOfType(InvalidDeclarationException.class)
			.isThrownBy(() -> this.world.start(WorldApplication.of(new TakesBought())))
			.withMessageContaining("no payload with 'Bought.lines[].price: Money' can be bound to "
					+ Bought.class.getName() + ": " + Money.class.getName() + " is abstract");
	}

	/** Nothing can create it. */
	static final class Hidden {

		private final String account;

		@SuppressWarnings("UnusedMethod")
		private Hidden(String account, int number) {
			this.account = account + number;
		}

		@Override
		public String toString() {
			return this.account;
		}

	}

	@EventType("account.changed")
	abstract static class Changed {

	}

	record Bought(String account, List<Line> lines) {
	}

	record Line(int number, Money price) {
	}

	interface Money {

	}

	static class TakesBought {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = "bought")
		public void on(Bought event) {
			throw new IllegalStateException(String.valueOf(event));
		}

	}

	static class TakesHidden {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = "hidden")
		public void on(Hidden event) {
			throw new IllegalStateException(String.valueOf(event));
		}

	}

	static class TakesAbstract {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = "abstract")
		public void on(List<Event<Changed>> events) {
			throw new IllegalStateException(String.valueOf(events));
		}

	}

}
