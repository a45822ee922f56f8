package dev.eventing.sdk.guarantees;

import dev.eventing.sdk.erasure.ErasureReport;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.relay.Relays;
import io.nats.client.api.StreamConfiguration;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** G17: contents that are erased before or after a relay has published them. */
class G17RelayedIT extends ErasureSetup {

	@Test
	void appliesNothingThatJetStreamDeliversAgainAndTellsHowToPurgeIt() {
		try (AnnotationConfigApplicationContext application = startWithRelay(new Streamed())) {
			append(World.ACME, "a", this.secret);
			append(World.ACME, "b", "bob");
			awaitNames(World.ACME, "a", this.secret);
			awaitNames(World.ACME, "b", "bob");
			awaitDeclared();
			// one that the stream has, and the projector has not applied
			application.getBean(ProjectorRegistry.class).stop(PEOPLE);
			append(World.ACME, "a", this.secret + "2");
			await().until(() -> messagesWith(this.secret) == 2);
			ErasureReport erased = erase("a");
			assertThat(erased.pending()).isEmpty();
			assertThat(erased.outside()).containsExactly("nats stream purge " + this.world.stream() + " --subject '"
					+ this.world.root() + ".acme.deposited' # other streams have events there, too");
			assertThatNothingIsFound();
			assertThat(messagesWith(this.secret)).isEqualTo(2);
			// as after the loss of the durable
			this.world.jetStream((management) -> management.deleteConsumer(this.world.stream(), PEOPLE + "-consumer"));
			this.world.jdbc().update("delete from eventing.projector_positions");
			application.getBean(ProjectorRegistry.class).start(PEOPLE);
			append(World.ACME, "b", "bobby");
			awaitNames(World.ACME, "b", "bob bobby");
			await().until(() -> this.world.hasSettledAll(PEOPLE));
			assertThatNothingIsFound();
		}
	}

	@Test
	void relaysPublishNothingOfItThatTheyHaveReadBefore() {
		try (AnnotationConfigApplicationContext application = startWithRelay()) {
			Relays relays = application.getBean(Relays.class);
			append(World.ACME, "b", "bob");
			await().until(() -> messagesWith("bob") == 1);
			relays.pause(PEOPLE);
			append(World.ACME, "a", this.secret);
			append(World.ACME, "b", "bobby");
			ErasureReport erased = erase("a");
			assertThat(erased.pending()).containsExactly("Relay 'people' has not passed the last of the events yet.");
			relays.resume(PEOPLE);
			await().until(() -> messagesWith("bobby") == 1);
			assertThat(messagesWith(this.secret)).isZero();
			assertThat(erase("a").pending()).isEmpty();
		}
	}

	@Test
	void relaysGoOnBehindErasedEventsThatTheyCouldNotPublish() {
		String elsewhere = "not-" + this.world.root();
		try (AnnotationConfigApplicationContext application = this.world
			.start(application(elsewhere + ".{stream}.{type}"))) {
			append(World.ACME, "a", this.secret);
			this.world.jetStream((management) -> management.updateStream(
					StreamConfiguration.builder(management.getStreamInfo(this.world.stream()).getConfiguration())
						.addSubjects(elsewhere + "." + stream("b") + ".>")
						.build()));
			append(World.ACME, "b", "bob");
			await().until(() -> messagesWith("bob") == 1);
			await().until(() -> this.world.count("select count(*) from eventing.relay_refusals") == 1);
			assertThat(count(erase("a"), "events that a relay could not publish")).isOne();
			this.world.jetStream((management) -> management.updateStream(
					StreamConfiguration.builder(management.getStreamInfo(this.world.stream()).getConfiguration())
						.addSubjects(elsewhere + "." + stream("a") + ".>")
						.build()));
			append(World.ACME, "a", "new");
			await().until(() -> messagesWith("new") == 1);
			// the relay saves after it has published
			await().until(() -> this.world.count("select count(*) from eventing.relay_refusals") == 0);
			assertThat(messagesWith(this.secret)).isZero();
		}
	}

}
