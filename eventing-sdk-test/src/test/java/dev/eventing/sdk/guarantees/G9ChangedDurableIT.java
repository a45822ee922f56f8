package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.projection.Projectors;
import dev.eventing.sdk.projector.DeliverPolicy;
import dev.eventing.sdk.projector.Ordering;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorState;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.ConsumerLimits;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Somebody changes a durable by hand, so that it would deliver something else. No event
 * is lost by that.
 */
@ExtendWith(OutputCaptureExtension.class)
class G9ChangedDurableIT {

	private static final String DURABLE = Accounts.PROJECTOR + "-consumer";

	private static final TenantId GLOBEX = TenantId.of("globex");

	@AutoClose
	private final World world = World.create();

	@AutoClose
	private final Wire wire = new Wire(this.world.natsUrl());

	@ParameterizedTest
	@CsvSource({ "Limits, PER_KEY", "WorkQueue, PER_KEY", "Limits, NONE", "WorkQueue, NONE" })
	void settlesNothingThatComesWithoutItsBody(RetentionPolicy retention, Ordering ordering) {
		retain(retention);
		Accounts accounts = new Accounts();
		try (AnnotationConfigApplicationContext application = start(accounts, ordering)) {
			this.world.publish(World.ACME, "a", 1, 2);
			await().until(() -> this.world.version(World.ACME, "a") == 2);
			change((durable) -> durable.headersOnly(true));
			for (int other = 0; other < 30; other++) {
				this.world.publish(World.ACME, "b" + other, 1, 1);
			}
			await().until(() -> this.world.count("select count(*) from account") == 31);
			assertThat(durable().isHeadersOnly()).isFalse();
			assertThat(application.isActive()).isTrue();
		}
		change((durable) -> durable.headersOnly(true));
		this.world.publish(World.ACME, "a", 3, 3);
		try (AnnotationConfigApplicationContext application = start(accounts, ordering)) {
			await().until(() -> this.world.version(World.ACME, "a") == 3);
			assertThat(application.isActive()).isTrue();
		}
		assertThat(this.world.deadLetters(Accounts.PROJECTOR)).isEmpty();
	}

	@Test
	void goesOnAfterAnEventThatTheStreamItselfHasWithoutItsBody() {
		Accounts accounts = new Accounts();
		try (AnnotationConfigApplicationContext application = start(accounts, Ordering.PER_KEY)) {
			assertThat(application.isActive()).isTrue();
			this.wire.publish(this.world.root() + ".acme.deposited",
					G5DeadLetterIT.headers(Map.of("ce-subject", "cut", "Nats-Msg-Size", "42")), "");
			this.world.publish(World.ACME, "cut", 2, 2);
			this.world.publish(World.ACME, "a", 1, 2);
			await().until(() -> this.world.version(World.ACME, "a") == 2);
			await().untilAsserted(
					() -> assertThat(this.world.deadLetters(Accounts.PROJECTOR)).extracting(DeadLetter::reason)
						.containsExactlyInAnyOrder("UNREADABLE:INVALID_HEADER", "BEHIND"));
			assertThat(accounts.calledVersions("cut")).isEmpty();
		}
	}

	@Test
	void readsAgainWhatAnotherFilterPassedOver() {
		Accounts accounts = new Accounts();
		try (AnnotationConfigApplicationContext application = start(accounts, Ordering.PER_KEY)) {
			assertThat(application.isActive()).isTrue();
			this.world.publish(World.ACME, "a", 1, 2);
			await().until(() -> this.world.version(World.ACME, "a") == 2);
			change((durable) -> durable.filterSubject(this.world.root() + ".globex.deposited"));
			this.world.publish(World.ACME, "a", 3, 5);
			this.world.publish(GLOBEX, "g", 1, 1);
			await().until(() -> this.world.version(GLOBEX, "g") == 1);
			await().until(() -> this.world.version(World.ACME, "a") == 5);
			assertThat(accounts.calledVersions("a")).containsExactly(1L, 2L, 3L, 4L, 5L);
		}
	}

	/** While it is paused: a running one creates it again. */
	@ParameterizedTest
	@CsvSource({ "PER_KEY, true", "PER_KEY, false", "NONE, false" })
	void readsWhatADurableThatWasMadeAnewByHandPassesOver(Ordering ordering, boolean withItsMetadata) {
		Accounts accounts = new Accounts();
		ProjectorSettings settings = ProjectorSettings.builder()
			.ordering(ordering)
			.deliverPolicy(DeliverPolicy.NEW)
			.build();
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(accounts).with(settings))) {
			this.world.publish(World.ACME, "a", 1, 2);
			await().until(() -> this.world.version(World.ACME, "a") == 2);
			Projectors projectors = application.getBean(Projectors.class);
			projectors.pause(Accounts.PROJECTOR, "ops", "a new durable");
			await().until(() -> World.status(application, Accounts.PROJECTOR).state() == ProjectorState.PAUSED);
			await()
				.until(() -> this.world.count("select coalesce(max(floor), 0) from eventing.projector_positions") > 0);
			this.world.publish(World.ACME, "b", 1, 3);
			ConsumerConfiguration anew = ConsumerConfiguration.builder(durable())
				.metadata(withItsMetadata ? durable().getMetadata() : Map.of())
				.build();
			this.world.jetStream((management) -> management.deleteConsumer(this.world.stream(), DURABLE));
			this.world.jetStream((management) -> management.addOrUpdateConsumer(this.world.stream(), anew));
			projectors.resume(Accounts.PROJECTOR, "ops", null);
			this.world.publish(World.ACME, "c", 1, 1);
			await().until(() -> this.world.version(World.ACME, "c") == 1);
			await().until(() -> this.world.version(World.ACME, "b") == 3);
		}
	}

	@Test
	void removesATimeAfterWhichTheServerWouldDeleteTheDurable() {
		try (AnnotationConfigApplicationContext application = start(new Accounts(), Ordering.PER_KEY)) {
			assertThat(application.isActive()).isTrue();
		}
		change((durable) -> durable.inactiveThreshold(Duration.ofHours(1)));
		try (AnnotationConfigApplicationContext application = start(new Accounts(), Ordering.PER_KEY)) {
			assertThat(application.isActive()).isTrue();
			assertThat(String.valueOf(durable().getInactiveThreshold())).isIn("null", "PT0S");
		}
	}

	/** The server gives it to each durable of the stream, whatever an update says. */
	@Test
	void tellsOfATimeThatTheStreamDemands(CapturedOutput output) {
		this.world.jetStream((management) -> {
			management.deleteStream(this.world.stream());
			return management.addStream(StreamConfiguration.builder()
				.name(this.world.stream())
				.subjects(List.of(this.world.root() + ".>"))
				.consumerLimits(ConsumerLimits.builder().inactiveThreshold(Duration.ofHours(1)).build())
				.build());
		});
		try (AnnotationConfigApplicationContext application = start(new Accounts(), Ordering.PER_KEY)) {
			this.world.publish(World.ACME, "a", 1, 1);
			await().until(() -> this.world.version(World.ACME, "a") == 1);
			assertThat(application.isActive()).isTrue();
			assertThat(durable().getInactiveThreshold()).isEqualTo(Duration.ofHours(1));
			assertThat(output).contains("is deleted by the server once nobody reads it for PT1H")
				.doesNotContain("inactiveThreshold PT1H -> PT0S");
		}
		change((durable) -> durable.inactiveThreshold(Duration.ofMinutes(30)));
		try (AnnotationConfigApplicationContext application = start(new Accounts(), Ordering.PER_KEY)) {
			assertThat(application.isActive()).isTrue();
			assertThat(durable().getInactiveThreshold()).isEqualTo(Duration.ofHours(1));
			assertThat(output).doesNotContain("inactiveThreshold PT30M -> PT0S");
		}
	}

	private void retain(RetentionPolicy retention) {
		this.world.jetStream((management) -> {
			management.deleteStream(this.world.stream());
			return management.addStream(StreamConfiguration.builder()
				.name(this.world.stream())
				.subjects(List.of(this.world.root() + ".>"))
				.retentionPolicy(retention)
				.build());
		});
	}

	private void change(UnaryOperator<ConsumerConfiguration.Builder> changes) {
		ConsumerConfiguration changed = changes.apply(ConsumerConfiguration.builder(durable())).build();
		this.world.jetStream((management) -> management.addOrUpdateConsumer(this.world.stream(), changed));
	}

	private ConsumerConfiguration durable() {
		return this.world.jetStream((management) -> management.getConsumerInfo(this.world.stream(), DURABLE))
			.getConsumerConfiguration();
	}

	private AnnotationConfigApplicationContext start(Accounts accounts, Ordering ordering) {
		ProjectorSettings settings = ProjectorSettings.builder()
			.ordering(ordering)
			.ackWait(Duration.ofSeconds(3))
			.build();
		return this.world.start(WorldApplication.of(accounts).with(settings));
	}

}
