package dev.eventing.sdk.relay;

import java.time.Duration;
import java.util.Set;

import dev.eventing.sdk.InvalidOptionsException;
import dev.eventing.sdk.event.EventSubjects;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RelayOptionsTests {

	@Test
	void namesAllThatIsOutOfRangeAtOnce() {
		assertThatExceptionOfType(InvalidOptionsException.class)
			.isThrownBy(() -> new RelayOptions("no name", EventSubjects.DEFAULT, Set.of("order-1"),
					new RelayOptions.Bounds(10, 0, 20), PublishMode.ASYNC, RefusedEvents.SKIP, Duration.ZERO,
					Duration.ZERO))
			.satisfies((failure) -> {
				assertThat(failure.subject()).isEqualTo("relay 'no name'");
				assertThat(failure.problems()).hasSize(6);
			})
			.withMessageContaining("'name'")
			.withMessageContaining("'categories'")
			.withMessageContaining("'window'")
			.withMessageContaining("'windowBytes'")
			.withMessageContaining("'longestPoll'")
			.withMessageContaining("'stalledAfter'");
	}

	@Test
	void isSaidInOneBean() {
		try (var context = new AnnotationConfigApplicationContext(Configured.class)) {
			assertThat(context.getBean(RelayOptions.class).name()).isEqualTo("orders");
		}
	}

	@Test
	void takesTheStreamsOfItsCategories() {
		RelayOptions some = RelayOptions.named("some").withCategories("order", "cart");
		assertThat(some.takes("order-1")).isTrue();
		assertThat(some.takes("cart")).isTrue();
		assertThat(some.takes("orders-1")).isFalse();
		assertThat(RelayOptions.defaults().takes("orders-1")).isTrue();
	}

	@Test
	void knowsTheSubjectsItMayPublishTo() {
		assertThat(RelayFilters.of(RelayOptions.defaults())).containsExactly("*.*.>");
		assertThat(RelayFilters.of(RelayOptions.defaults().withCategories("order", "cart"))).containsExactly("cart.*.>",
				"order.*.>");
		assertThat(RelayFilters.of(RelayOptions.defaults().withSubjects("all.{tenant}.x-{stream}")))
			.containsExactly("all.*.*");
	}

	@Configuration(proxyBeanMethods = false)
	static class Configured {

		@Bean
		RelayOptions ordersRelay() {
			return RelayOptions.named("orders").withSubjects("orders.{tenant}.{type}").withCategories("order", "cart");
		}

	}

}
