package dev.eventing.sdk.config;

import java.util.List;
import java.util.Map;

import dev.eventing.sdk.event.EventSubjects;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.event.SubjectTemplate;
import dev.eventing.sdk.projector.HandlerMethod;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorOptions;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.relay.RelayOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.support.StaticApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class StoredSubjectsCheckTests {

	@ParameterizedTest
	@CsvSource({ "{category}.{tenant}.{type}, orders.{tenant}.placed", "{category}.{tenant}.{type}, orders.>",
			"{category}.{tenant}.{type}, orders.*.order.placed",
			"shop.{category}.{tenant}.{type}, shop.orders.*.placed", "{tenant}.{type}, {tenant}.order.placed",
			"events.{stream}, events.*", "{type}.{tenant}, order.{tenant}" })
	void isSilentForSubjectsThatStoredEventsHave(String stored, String subject, CapturedOutput output) {
		look(stored, subject, Source.EVENT_STORE);
		assertThat(output).doesNotContain("WARN");
	}

	@ParameterizedTest
	@CsvSource({ "shop.{category}.{tenant}.{type}, orders.{tenant}.placed",
			"{category}.{tenant}, orders.{tenant}.placed", "{category}.{tenant}.{type}, shop.orders.{tenant}.placed",
			"{tenant}.{type}, orders.{tenant}.placed" })
	void warnsOfASubjectThatNoStoredEventHas(String stored, String subject, CapturedOutput output) {
		look(stored, subject, Source.EVENT_STORE);
		assertThat(output).containsOnlyOnce("Projector 'orders' reads the event store, where subjects are like '"
				+ stored + "', so none is like its '" + subject
				+ "'. Consider a subject of that form, or eventing.store.subject.");
	}

	/** By the pattern alone, 'shop' may be a category. */
	@Test
	void warnsOfASubjectThatOnlyARelayHas(CapturedOutput output) {
		RelayOptions relay = RelayOptions.named("out").withSubjects("shop.{tenant}.{category}.{type}");
		look(EventSubjects.DEFAULT_PATTERN, "shop.{tenant}.orders.placed", Source.EVENT_STORE, relay);
		assertThat(output)
			.containsOnlyOnce("so none is like its 'shop.{tenant}.orders.placed', which is for relay 'out'"
					+ " with 'shop.{tenant}.{category}.{type}'. Consider");
	}

	@Test
	void isSilentIfARelayHasTheSubjectsOfTheStore(CapturedOutput output) {
		look(EventSubjects.DEFAULT_PATTERN, "orders.{tenant}.placed", Source.EVENT_STORE, RelayOptions.defaults());
		assertThat(output).doesNotContain("WARN");
	}

	@Test
	void isSilentForProjectorsThatReadAStream(CapturedOutput output) {
		look("shop.{category}.{tenant}.{type}", "orders.{tenant}.placed", Source.JETSTREAM);
		assertThat(output).doesNotContain("WARN");
	}

	private static void look(String stored, String subject, Source source, RelayOptions... relays) {
		HandlerMethod handler = new HandlerMethod("order.placed", SubjectTemplate.of(subject),
				Map.of("order.placed", String.class), false, (events, resources) -> {
				});
		ProjectorEndpoint endpoint = new ProjectorEndpoint(ProjectorId.of("orders"), "orders-consumer", null,
				List.of(handler), ProjectorOptions.of(ProjectorSettings.builder().source(source).build()));
		StoredSubjectsCheck check = new StoredSubjectsCheck(EventSubjects.of(stored), () -> List.of(endpoint),
				() -> List.of(relays));
		for (int context = 0; context < 2; context++) {
			check.onApplicationEvent(new ContextRefreshedEvent(new StaticApplicationContext()));
		}
	}

}
