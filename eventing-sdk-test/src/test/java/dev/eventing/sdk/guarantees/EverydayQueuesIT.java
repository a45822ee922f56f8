package dev.eventing.sdk.guarantees;

import java.util.List;
import java.util.UUID;

import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.projector.DeliverPolicy;
import dev.eventing.sdk.projector.Ordering;
import dev.eventing.sdk.projector.ProjectorSettings;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.awaitility.Awaitility.await;

/** The consumers that a work queue allows. */
class EverydayQueuesIT {

	private static final String DURABLE = Accounts.PROJECTOR + "-consumer";

	@AutoClose
	private final World world = World.create();

	@BeforeEach
	void makeItAQueue() {
		this.world.jetStream((management) -> {
			management.deleteStream(this.world.stream());
			return management.addStream(StreamConfiguration.builder()
				.name(this.world.stream())
				.subjects(List.of(this.world.root() + ".>"))
				.retentionPolicy(RetentionPolicy.WorkQueue)
				.build());
		});
	}

	@Test
	void goesOnForNodesThatCompeteWhereTheDurableIsGone() {
		ProjectorSettings competing = ProjectorSettings.builder().ordering(Ordering.NONE).concurrency(1).build();
		try (AnnotationConfigApplicationContext one = this.world
			.start(WorldApplication.of(new Accounts()).with(competing));
				AnnotationConfigApplicationContext other = this.world
					.start(WorldApplication.of(new Accounts()).with(competing))) {
			for (long account = 0; account < 3; account++) {
				long number = account;
				this.world.publish(World.ACME, "a" + number, 1, 1);
				await().until(() -> this.world.version(World.ACME, "a" + number) == 1);
				this.world.jetStream((management) -> management.deleteConsumer(this.world.stream(), DURABLE));
			}
			this.world.publish(World.ACME, "b", 1, 1);
			await().until(() -> this.world.version(World.ACME, "b") == 1);
			assertThat(one.isActive() && other.isActive()).isTrue();
		}
		assertThat(this.world.count("select count(*) from violations")).isZero();
		assertThat(this.world.deadLetters(Accounts.PROJECTOR)).isEmpty();
	}

	@Test
	void refusesToBeginWithTheNextEvent() {
		ProjectorSettings settings = ProjectorSettings.builder().deliverPolicy(DeliverPolicy.NEW).build();
		assertThatException()
			.isThrownBy(() -> this.world.start(WorldApplication.of(new Accounts()).with(settings)).close())
			.havingRootCause()
			.withMessageContaining("Durable '" + DURABLE + "' of projector '" + Accounts.PROJECTOR + "'")
			.withMessageContaining("stream '" + this.world.stream() + "' is a work queue")
			.withMessageContaining("deliverPolicy");
	}

	@Test
	void refusesASecondProjectorOfTheSameEvents() {
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(new Accounts()))) {
			assertThatException().isThrownBy(() -> this.world.start(WorldApplication.of(new Others())).close())
				.havingRootCause()
				.withMessageContaining("Durable 'others-consumer' of projector 'others'")
				.withMessageContaining("stream '" + this.world.stream() + "' is a work queue")
				.withMessageContaining("where consumer '" + DURABLE + "' has events of");
			this.world.publish(World.ACME, "a", 1, 2);
			await().until(() -> this.world.version(World.ACME, "a") == 2);
			assertThat(application.isActive()).isTrue();
		}
	}

	/** Another projector of the same subject. */
	static class Others {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = "others")
		public void on(Deposited event, UUID eventId, String tenantId) {
			throw new IllegalStateException("there is none");
		}

	}

}
