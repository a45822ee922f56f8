package dev.eventing.sdk.guarantees;

import java.util.List;

import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.test.server.NatsServer;
import dev.eventing.sdk.test.server.NatsServerBinary;
import dev.eventing.sdk.test.server.NatsServerLine;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Handlers whose subjects overlap, of which neither covers the other. The oldest server
 * refuses a durable with both subjects.
 */
@ParameterizedClass
@EnumSource(value = NatsServerLine.class, names = { "OLDEST", "ANY" })
class OverlappingSubjectsIT {

	private static final String DURABLE = Accounts.PROJECTOR + "-consumer";

	private static final TenantId GLOBEX = TenantId.of("globex");

	@Parameter
	NatsServerLine line;

	private NatsServer nats;

	private World world;

	@BeforeEach
	void start() {
		this.nats = NatsServer.start(NatsServerBinary.find(this.line), "");
		this.world = World.on(this.nats);
	}

	@AfterEach
	void stop() {
		this.world.close();
		this.nats.close();
	}

	@Test
	void areReadThroughOneDurable() {
		Overlapping handlers = new Overlapping();
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(handlers))) {
			this.world.publish(World.ACME, "a", 1, 2);
			this.world.publish(GLOBEX, "g", 1, 1);
			this.world.publisher().publish(this.world.root() + ".acme.closed", closed(World.ACME));
			this.world.publisher().publish(this.world.root() + ".globex.closed", closed(GLOBEX));
			this.world.publish(World.ACME, "a", 3, 3);
			await().until(() -> this.world.version(World.ACME, "a") == 3 && this.world.version(GLOBEX, "g") == 1);
			await().until(() -> handlers.closed.size() == 1);
			assertThat(handlers.closed).containsExactly(World.ACME.value());
			if (this.world.isServerOf("2.12.5")) {
				assertThat(filters()).containsExactlyInAnyOrder(this.world.root() + ".*.deposited",
						this.world.root() + ".acme.>");
			}
			else {
				assertThat(filters()).containsExactly(this.world.root() + ".*.>");
			}
			assertThat(application.isActive()).isTrue();
		}
		assertThat(this.world.deadLetters(Accounts.PROJECTOR)).isEmpty();
	}

	/** The durable listens to the former subject, too. */
	@Test
	void mayBeThoseOfTwoVersionsOfAProjector() {
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(new Accounts()))) {
			this.world.publish(World.ACME, "a", 1, 2);
			await().until(() -> this.world.version(World.ACME, "a") == 2);
			assertThat(application.isActive()).isTrue();
		}
		this.world.publish(World.ACME, "a", 3, 3);
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(new Changed()))) {
			await().until(() -> this.world.version(World.ACME, "a") == 3);
			this.world.publish(World.ACME, "a", 4, 5);
			await().until(() -> this.world.version(World.ACME, "a") == 5);
			assertThat(World.status(application, Accounts.PROJECTOR).state()).isEqualTo(ProjectorState.RUNNING);
		}
		assertThat(this.world.count("select count(*) from violations")).isZero();
		assertThat(this.world.deadLetters(Accounts.PROJECTOR)).isEmpty();
	}

	private static Event<Overlapping.Closed> closed(TenantId tenant) {
		return Event.builder(tenant, new Overlapping.Closed("a")).build();
	}

	private List<String> filters() {
		return this.world.jetStream((management) -> management.getConsumerInfo(this.world.stream(), DURABLE))
			.getConsumerConfiguration()
			.getFilterSubjects();
	}

	/** The next version of the projector, with another subject. */
	static class Changed {

		@Autowired
		JdbcTemplate jdbc;

		@ProjectorEventHandler(subject = "${root}.acme.>", projectorName = Accounts.PROJECTOR)
		public void on(Event<Deposited> event) {
			World.apply(this.jdbc, event.payload(), event.tenantId().value());
		}

	}

}
