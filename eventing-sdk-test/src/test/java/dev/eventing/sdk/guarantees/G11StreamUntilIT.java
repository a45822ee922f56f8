package dev.eventing.sdk.guarantees;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Objects;

import dev.eventing.sdk.projection.BuildOptions;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import dev.eventing.sdk.projection.RequestRefusedException;
import dev.eventing.sdk.projection.Until;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * G11: a generation of a projector that reads JetStream, built up to a sequence or a
 * time, shows the read model as it was then, and stays so.
 */
class G11StreamUntilIT {

	private static final String SCHEMA = "accounts_g2";

	@AutoClose
	private final World world = World.create();

	private final StreamRebuilds rebuilds = new StreamRebuilds(this.world);

	@Test
	void showsTheReadModelAsItWasAtASequenceWhileEventsGoOn() {
		this.rebuilds.publishAll(1, 10);
		long then = this.rebuilds.lastSequence();
		// Positions of the event store say nothing of a stream.
		this.world.append(World.ACME, "stored", 1, 3);
		this.rebuilds.publishAll(11, 20);
		try (AnnotationConfigApplicationContext application = this.rebuilds.start(new StreamAccounts())) {
			this.rebuilds.awaitVersions("public", 20);
			build(new Until.Position(then));
			this.rebuilds.awaitStatus(2, ProjectionGeneration.Status.PAST);
			this.rebuilds.assertThatTheReadModelIsExact(SCHEMA, 10);
			assertThat(this.rebuilds.detail()).isEqualTo("Generation 2 is filled in the schema accounts_g2 up to"
					+ " sequence " + then + " of stream '" + this.world.stream() + "'.");
			this.rebuilds.publishAll(21, 30);
			this.rebuilds.awaitVersions("public", 30);
			this.rebuilds.assertThatTheReadModelIsExact(SCHEMA, 10);
			assertThat(this.rebuilds.generation(2).orElseThrow().filledTo()).isEqualTo(then);
			assertThatExceptionOfType(RequestRefusedException.class).isThrownBy(() -> this.rebuilds.requestSwitch(2))
				.withMessageContaining("is never switched to");
			assertThat(application.isActive()).isTrue();
			this.rebuilds.retire(2);
			this.rebuilds.assertThatNothingIsLeft();
		}
	}

	/** The time is that at which the stream stored a message. */
	@Test
	void showsTheReadModelAsItWasAtATime() {
		this.rebuilds.publishAll(1, 4);
		long last = this.rebuilds.lastSequence();
		Instant then = storedAt(last);
		await().until(() -> {
			this.world.publish(this.world.deposit(World.ACME, "later", 1));
			return storedAt(this.rebuilds.lastSequence()).isAfter(then.plusMillis(1));
		});
		this.rebuilds.publishAll(5, 6);
		try (AnnotationConfigApplicationContext application = this.rebuilds.start(new StreamAccounts())) {
			this.rebuilds.awaitVersions("public", 6);
			// A time has the precision of the database.
			Instant wanted = then.truncatedTo(ChronoUnit.MICROS).plus(1, ChronoUnit.MICROS);
			build(new Until.Time(wanted));
			this.rebuilds.awaitStatus(2, ProjectionGeneration.Status.PAST);
			this.rebuilds.assertThatTheReadModelIsExact(SCHEMA, 4);
			assertThat(this.rebuilds.generation(2).orElseThrow().filledTo()).isEqualTo(last);
			assertThat(this.rebuilds.detail())
				.isEqualTo("Generation 2 is filled in the schema accounts_g2 up to" + " sequence " + last
						+ " of stream '" + this.world.stream() + "': what it had stored until " + wanted + ".");
			assertThat(application.isActive()).isTrue();
			this.rebuilds.retire(2);
			this.rebuilds.assertThatNothingIsLeft();
		}
	}

	@Test
	void refusesWhatIsNotThereYetAndWaitsWhereMoreMayComeOfThatTime() {
		this.rebuilds.publishAll(1, 1);
		try (AnnotationConfigApplicationContext application = this.rebuilds.start(new StreamAccounts())) {
			this.rebuilds.awaitVersions("public", 1);
			long last = this.rebuilds.lastSequence();
			build(new Until.Position(last + 1));
			this.rebuilds.awaitRefused("Sequence " + (last + 1) + " is beyond the end of stream '" + this.world.stream()
					+ "', which is at " + last);
			Instant first = storedAt(1);
			build(new Until.Time(first.minusSeconds(1)));
			this.rebuilds.awaitRefused("Stream '" + this.world.stream() + "' had stored no message at ");
			build(new Until.Time(databaseTime().plus(1, ChronoUnit.DAYS)));
			this.rebuilds.awaitRefused(" is in the future: the clock of this node is at ");
			Instant now = databaseTime();
			build(new Until.Time(now));
			await().untilAsserted(() -> assertThat(this.rebuilds.detail())
				.isEqualTo("Stream '" + this.world.stream() + "' has no message behind " + now
						+ ", and by its clock that may not be over. It is tried again."));
			this.rebuilds.publishAll(2, 2);
			this.rebuilds.awaitStatus(2, ProjectionGeneration.Status.PAST);
			assertThat(this.rebuilds.status()).isEqualTo(Status.DONE);
			this.rebuilds.assertThatTheReadModelIsExact(SCHEMA, 1);
			assertThat(application.isActive()).isTrue();
		}
	}

	private void build(Until until) {
		this.rebuilds.build(BuildOptions.DEFAULT.until(until));
	}

	private Instant storedAt(long sequence) {
		return this.world
			.jetStream((management) -> management.getMessage(this.world.stream(), sequence).getTime().toInstant());
	}

	private Instant databaseTime() {
		return Objects
			.requireNonNull(this.world.jdbc().queryForObject("select clock_timestamp()", OffsetDateTime.class))
			.toInstant()
			.truncatedTo(ChronoUnit.MICROS);
	}

}
