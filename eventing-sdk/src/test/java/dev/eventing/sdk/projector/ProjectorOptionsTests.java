package dev.eventing.sdk.projector;

import java.io.IOException;
import java.time.Duration;
import java.util.Set;

import dev.eventing.sdk.InvalidOptionsException;
import dev.eventing.sdk.projector.ProjectorSettings.DeadLetters;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ProjectorOptionsTests {

	private static final ProjectorSettings UNORDERED = ProjectorSettings.builder().ordering(Ordering.NONE).build();

	@Test
	void readJetStreamUnlessTold() {
		assertThat(ProjectorOptions.of(ProjectorSettings.NONE).get(ProjectorSettings::source))
			.isEqualTo(Source.JETSTREAM);
		assertThat(ProjectorOptions.of(ProjectorSettings.builder().source(Source.INHERIT).build())
			.get(ProjectorSettings::source)).isEqualTo(Source.JETSTREAM);
	}

	@Test
	void takeTheSourceOfWhoeverSaysOneFirst() {
		ProjectorSettings settings = ProjectorSettings.NONE
			.orElse(UNORDERED.toBuilder().source(Source.JETSTREAM).build())
			.orElse(ProjectorSettings.builder().source(Source.EVENT_STORE).build());
		assertThat(settings.source()).isEqualTo(Source.JETSTREAM);
	}

	@Test
	void haveNoTenancyUnlessAPlaceSetsIt() {
		assertThat(ProjectorOptions.of(ProjectorSettings.NONE).settings().tenancy()).isNull();
		ProjectorSettings inherits = ProjectorSettings.builder().tenancy(Tenancy.INHERIT).build();
		ProjectorSettings defaults = ProjectorSettings.builder().tenancy(Tenancy.PER_TRANSACTION).build();
		assertThat(ProjectorOptions.of(inherits.orElse(defaults)).hasOneTenant()).isTrue();
		ProjectorSettings none = ProjectorSettings.builder().tenancy(Tenancy.NONE).build();
		assertThat(ProjectorOptions.of(none.orElse(defaults)).hasOneTenant()).isFalse();
	}

	@Test
	void parkKeysWhereOrderIsKept() {
		assertThat(ProjectorOptions.of(ProjectorSettings.NONE).deadLetters())
			.isEqualTo(new DeadLetterPolicy(new DeadLetters(Parking.KEY, 1000, Set.of(), Duration.ofMinutes(1), 5)));
		assertThat(ProjectorOptions.of(UNORDERED).deadLetters().get(DeadLetters::parking)).isEqualTo(Parking.NONE);
		assertThatThrownBy(
				() -> ProjectorOptions.of(UNORDERED.toBuilder().deadLetters(DeadLetters.of(Parking.KEY)).build()))
			.isInstanceOf(InvalidOptionsException.class)
			.hasMessageContaining("'parking' must be NONE if 'ordering' is NONE");
	}

	@Test
	void takeEachSettingOfDeadLettersFromWhoeverSaysItFirst() {
		ProjectorSettings settings = ProjectorSettings.builder()
			.deadLetters(new DeadLetters(Parking.INHERIT, 7, null, null, null))
			.build()
			.orElse(ProjectorSettings.NONE)
			.orElse(ProjectorSettings.builder().deadLetters(new DeadLetters(Parking.NONE, 8, null, null, 2)).build());
		DeadLetterPolicy options = ProjectorOptions.of(settings).deadLetters();
		assertThat(options.get(DeadLetters::parking)).isEqualTo(Parking.NONE);
		assertThat(options.get(DeadLetters::parkingLimit)).isEqualTo(7);
		assertThat(options.get(DeadLetters::redriveLimit)).isEqualTo(2);
	}

	@Test
	void refuseLimitsOutOfRange() {
		ProjectorSettings settings = ProjectorSettings.builder()
			.deadLetters(new DeadLetters(null, 0, null, Duration.ofMillis(-1), -1))
			.build();
		assertThatThrownBy(() -> ProjectorOptions.of(settings)).isInstanceOf(InvalidOptionsException.class)
			.hasMessageContaining("'parkingLimit' must be at least 1, was 0")
			.hasMessageContaining("'redriveDelay' must not be negative")
			.hasMessageContaining("'redriveLimit' must not be negative, was -1");
	}

	@Test
	void doubleTheDelayOfRedrivesUpToAnHour() {
		DeadLetterPolicy options = new DeadLetterPolicy(
				new DeadLetters(Parking.KEY, 1000, Set.of(IOException.class), Duration.ofMinutes(1), 8));
		Throwable error = new IllegalStateException(new IOException());
		assertThat(options.redriveAfter(error, 0)).isEqualTo(Duration.ofMinutes(1));
		assertThat(options.redriveAfter(error, 3)).isEqualTo(Duration.ofMinutes(8));
		assertThat(options.redriveAfter(error, 7)).isEqualTo(Duration.ofHours(1));
		assertThat(options.redriveAfter(error, 8)).isNull();
		assertThat(options.redriveAfter(new IllegalStateException(), 0)).isNull();
	}

	@Test
	void refuseToCompeteForEventsOfTheEventStore() {
		ProjectorSettings settings = UNORDERED.toBuilder().source(Source.EVENT_STORE).build();
		assertThatThrownBy(() -> ProjectorOptions.of(settings)).isInstanceOf(InvalidOptionsException.class)
			.hasMessageContaining("'ordering' must be PER_KEY if 'source' is EVENT_STORE");
	}

}
