package dev.eventing.sdk.projector.container;

import java.util.List;
import java.util.Map;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.event.SubjectTemplate;
import dev.eventing.sdk.projector.HandlerMethod;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorOptions;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.Source;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class StartLinesTests {

	@Test
	void haveWhatAProjectorReadsAndTakes(CapturedOutput output) {
		StartLines.log(List.of(endpoint("ORDERS", ProjectorSettings.NONE)));
		assertThat(output).containsOnlyOnce("Projector 'orders' reads stream 'ORDERS', subjects [orders.*.paid,"
				+ " orders.*.placed], from the first event on unless it has run before. Handlers: 2, types: [order.placed]"
				+ " and every other type.");
	}

	@Test
	void nameTheEventStore(CapturedOutput output) {
		StartLines.log(List.of(endpoint(null, ProjectorSettings.builder().source(Source.EVENT_STORE).build())));
		assertThat(output).contains("Projector 'orders' reads the event store, subjects ");
	}

	@Test
	void tellOnceThatThereIsNone(CapturedOutput output) {
		StartLines.log(List.of());
		assertThat(output).containsOnlyOnce("No handlers were found, so this application runs no projectors.");
	}

	private static ProjectorEndpoint endpoint(@Nullable String stream, ProjectorSettings settings) {
		return new ProjectorEndpoint(ProjectorId.of("orders"), "orders-consumer", stream,
				List.of(handler("orders.{tenant}.paid", HandlerMethod.ANY_TYPE),
						handler("orders.{tenant}.placed", "order.placed")),
				ProjectorOptions.of(settings));
	}

	private static HandlerMethod handler(String subject, String type) {
		return new HandlerMethod(type, SubjectTemplate.of(subject), Map.of(type, String.class), false,
				(events, resources) -> {
				});
	}

}
