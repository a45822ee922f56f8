package dev.eventing.sdk.guarantees;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.eventing.sdk.InvalidDeclarationException;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.nats.EventPublisher;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** Handlers that the context of the SDK does not see, or not at once. */
@ExtendWith(OutputCaptureExtension.class)
class HandlersInOtherContextsIT {

	@AutoClose
	private final World world = World.create();

	@Test
	void handlersInAContextBelowAreRefusedAndThoseAboveGoOn() {
		try (AnnotationConfigApplicationContext above = this.world.start(WorldApplication.of(new Accounts()));
				AnnotationConfigApplicationContext below = new AnnotationConfigApplicationContext()) {
			below.setParent(above);
			below.registerBean(Totals.class);
			assertThatExceptionOfType(InvalidDeclarationException.class).isThrownBy(below::refresh)
				.withMessageContaining(Totals.class.getName())
				.withMessageContaining("the SDK is in a context above");
			this.world.publish(World.ACME, "a", 1, 1);
			await().until(() -> this.world.version(World.ACME, "a") == 1);
		}
	}

	@Test
	void handlersBelowOfABeanOfWhichOnlyAnInterfaceIsDeclaredAreRefused() {
		try (AnnotationConfigApplicationContext above = this.world.start(WorldApplication.of());
				AnnotationConfigApplicationContext below = new AnnotationConfigApplicationContext()) {
			below.setParent(above);
			below.register(Eager.class);
			assertThatExceptionOfType(InvalidDeclarationException.class).isThrownBy(below::refresh)
				.withMessageContaining("Bean 'projection' (" + Totals.class.getName() + ")")
				.withMessageContaining("it has handlers, but the SDK is in a context above");
		}
	}

	@Test
	void aLazyBeanBelowOfWhichOnlyAnInterfaceIsDeclaredIsWarnedOf(CapturedOutput output) {
		try (AnnotationConfigApplicationContext above = this.world.start(WorldApplication.of());
				AnnotationConfigApplicationContext below = new AnnotationConfigApplicationContext()) {
			below.setParent(above);
			below.setDisplayName("below");
			below.register(Lazily.class);
			below.refresh();
			assertThat(output)
				.contains("Of these lazy beans of context 'below' only an interface or a base class is known")
				.contains("[projection (" + Projection.class.getName() + ")]");
			assertThat(below.getBean(Projection.class).seen()).isEmpty();
			assertThat(output).containsOnlyOnce("Bean 'projection' (" + Totals.class.getName()
					+ ") of context 'below' has handlers, but the SDK is in a context above and does not see it.");
		}
	}

	/** Such as contexts of a management server or of a test. */
	@Test
	void aContextBelowThatClosesStopsNoProjector() {
		try (AnnotationConfigApplicationContext above = this.world.start(WorldApplication.of(new Accounts()))) {
			try (AnnotationConfigApplicationContext below = new AnnotationConfigApplicationContext()) {
				below.setParent(above);
				below.refresh();
				below.getBean(EventPublisher.class)
					.publish(this.world.subject(), this.world.deposit(World.ACME, "a", 1));
				await().until(() -> this.world.version(World.ACME, "a") == 1);
			}
			this.world.publish(World.ACME, "a", 2, 2);
			await().until(() -> this.world.version(World.ACME, "a") == 2);
			assertThat(above.isActive()).isTrue();
		}
	}

	@Test
	void aBeanOfWhichOnlyAnInterfaceIsDeclaredGetsItsEvents() {
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of().customize((context) -> context.register(Eager.class)))) {
			this.world.publish(World.ACME, "a", 1, 2);
			Projection projection = application.getBean(Projection.class);
			await().untilAsserted(() -> assertThat(projection.seen()).containsExactly(1L, 2L));
		}
	}

	@Test
	void aLazyBeanOfWhichOnlyAnInterfaceIsDeclaredIsWarnedOf(CapturedOutput output) {
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of().customize((context) -> context.register(Lazily.class)))) {
			assertThat(application.isActive()).isTrue();
			assertThat(output).contains("Of these lazy beans only an interface or a base class is known")
				.contains("[projection (" + Projection.class.getName() + ")]")
				.contains("Consider the class as the type of the @Bean method");
		}
	}

	@Test
	void aLazyBeanOfItsOwnClassGetsItsEvents() {
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of().customize((context) -> context.register(LazyTotals.class)))) {
			this.world.publish(World.ACME, "a", 1, 2);
			await()
				.untilAsserted(() -> assertThat(application.getBean(LazyTotals.class).seen()).containsExactly(1L, 2L));
		}
	}

	/** The interface of a projection. */
	interface Projection {

		List<Long> seen();

	}

	static class Totals implements Projection {

		private final List<Long> seen = new CopyOnWriteArrayList<>();

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = "totals")
		public void on(Event<Deposited> event) {
			this.seen.add(event.payload().version());
		}

		@Override
		public List<Long> seen() {
			return this.seen;
		}

	}

	@Lazy
	static class LazyTotals extends Totals {

	}

	@Configuration(proxyBeanMethods = false)
	static class Eager {

		@Bean
		Projection projection() {
			return new Totals();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Lazily {

		@Bean
		@Lazy
		Projection projection() {
			return new Totals();
		}

	}

}
