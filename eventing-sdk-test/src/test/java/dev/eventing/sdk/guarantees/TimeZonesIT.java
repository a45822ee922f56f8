package dev.eventing.sdk.guarantees;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.SimpleTimeZone;
import java.util.TimeZone;

import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.schema.DatabaseUnavailableException;
import dev.eventing.sdk.schema.SchemaMode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

/**
 * The driver begins each session with the time zone of the JVM, which PostgreSQL need not
 * know.
 */
class TimeZonesIT {

	private static final String UNKNOWN = "Mars/Olympus_Mons";

	private final TimeZone before = TimeZone.getDefault();

	@AutoClose
	private final World world = World.create();

	@AfterEach
	void restore() {
		TimeZone.setDefault(this.before);
	}

	@Test
	void thatTheDatabaseDoesNotKnowIsNamedAtTheStart() {
		TimeZone.setDefault(new SimpleTimeZone(0, UNKNOWN));
		WorldApplication application = WorldApplication.of(new Accounts())
			.withoutDatabase()
			.schema(SchemaMode.VALIDATE);
		assertThatException().isThrownBy(() -> this.world.start(application).close())
			.satisfies((refusal) -> assertThat(refusal)
				.hasStackTraceContaining(DatabaseUnavailableException.class.getName())
				.hasStackTraceContaining("invalid value for parameter \"TimeZone\": \"" + UNKNOWN + "\"")
				.hasStackTraceContaining("Consider a time zone that PostgreSQL knows"));
	}

	/** Where the start does not look at the tables. */
	@Test
	void thatTheDatabaseDoesNotKnowIsInTheStatusUntilItIsAnother() {
		TimeZone.setDefault(new SimpleTimeZone(0, UNKNOWN));
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(new Accounts()).withoutDatabase())) {
			await().untilAsserted(() -> {
				assertThat(World.status(application, Accounts.PROJECTOR).state()).isEqualTo(ProjectorState.FAILED);
				assertThat(World.status(application, Accounts.PROJECTOR).detail())
					.contains("invalid value for parameter \"TimeZone\": \"" + UNKNOWN + "\"");
			});
			TimeZone.setDefault(this.before);
			this.world.publish(World.ACME, "a", 1, 3);
			await().until(() -> this.world.version(World.ACME, "a") == 3);
			new Outage(this.world, application).leavesNoTrace();
		}
	}

	/** The driver turns the sign of an offset, and PostgreSQL turns it back. */
	@ParameterizedTest
	@ValueSource(strings = { "GMT+05:30", "GMT-11:00", "Pacific/Kiritimati" })
	void farFromThatOfTheDatabaseChangeNoTime(String zone) {
		TimeZone.setDefault(TimeZone.getTimeZone(zone));
		Accounts accounts = new Accounts((event) -> {
			if (event.account().equals("refused")) {
				throw new Accounts.Refused();
			}
		});
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(accounts).with(ProjectorSettings.builder().maxDeliver(1).build()))) {
			this.world.publish(World.ACME, "refused", 1, 1);
			this.world.publish(World.ACME, "a", 1, 3);
			await().until(() -> this.world.version(World.ACME, "a") == 3);
			await().until(() -> this.world.deadLetters(Accounts.PROJECTOR).size() == 1);
			assertThat(application.isActive()).isTrue();
		}
		TimeZone.setDefault(this.before);
		DeadLetter letter = this.world.deadLetters(Accounts.PROJECTOR).get(0);
		Instant stored = this.world
			.jetStream((management) -> management.getMessage(this.world.stream(), 1).getTime().toInstant());
		assertThat(letter.place().storedAt()).isCloseTo(stored, within(1, ChronoUnit.MILLIS));
		assertThat(letter.deadAt()).isCloseTo(stored, within(5, ChronoUnit.MINUTES));
	}

}
