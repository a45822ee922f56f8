package dev.eventing.sdk.projector;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ProjectorOptionsTests {

	private static final ProjectorSettings UNORDERED = new ProjectorSettings(null, null, null, null, null, null,
			Ordering.NONE, null, null, null, null, null, null, null);

	@Test
	void readJetStreamUnlessTold() {
		assertThat(ProjectorOptions.of(ProjectorSettings.NONE).source()).isEqualTo(Source.JETSTREAM);
		assertThat(ProjectorOptions.of(ProjectorSettings.NONE.withSource(Source.INHERIT)).source())
			.isEqualTo(Source.JETSTREAM);
	}

	@Test
	void takeTheSourceOfWhoeverSaysOneFirst() {
		ProjectorSettings settings = ProjectorSettings.NONE.orElse(UNORDERED.withSource(Source.JETSTREAM))
			.orElse(ProjectorSettings.NONE.withSource(Source.EVENT_STORE));
		assertThat(settings.source()).isEqualTo(Source.JETSTREAM);
	}

	@Test
	void refuseToCompeteForEventsOfTheEventStore() {
		ProjectorSettings settings = UNORDERED.withSource(Source.EVENT_STORE);
		assertThatThrownBy(() -> ProjectorOptions.of(settings)).isInstanceOf(InvalidProjectorOptionsException.class)
			.hasMessageContaining("'ordering' must be PER_KEY where 'source' is EVENT_STORE");
	}

}
