package dev.eventing.sdk.guarantees;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.projector.Ordering;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.test.timing.Steady;
import io.nats.client.Connection;
import io.nats.client.JetStreamSubscription;
import io.nats.client.Nats;
import io.nats.client.PullSubscribeOptions;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

/**
 * A stream has messages of other applications, and the filter of a projector's durable
 * may match them: a projector takes none of them out of a stream that deletes what is
 * settled, and none of them holds it up.
 */
class MessagesOfOthersIT {

	private static final String DURABLE = Accounts.PROJECTOR + "-consumer";

	@AutoClose
	private final World world = World.create();

	@Test
	void stayInAWorkQueueWhereSubjectsOfHandlersOverlap() throws Exception {
		assumeThat(takesFiltersThatOverlap()).as("the server takes filters that overlap").isTrue();
		recreate(RetentionPolicy.WorkQueue);
		Overlapping handlers = new Overlapping();
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(handlers))) {
			this.world.publish(World.ACME, "a", 1, 1);
			publishAsOthers(5);
			this.world.publisher()
				.publish(this.world.root() + ".acme.closed",
						Event.builder(World.ACME, new Overlapping.Closed("a")).build());
			this.world.publish(World.ACME, "a", 2, 2);
			await().until(() -> this.world.version(World.ACME, "a") == 2 && handlers.closed.size() == 1);
			await().until(() -> messages() == 5);
			assertThat(filters()).containsExactlyInAnyOrder(this.world.root() + ".*.deposited",
					this.world.root() + ".acme.>");
			assertThat(takenByTheirApplication()).isEqualTo(5);
			assertThat(application.isActive()).isTrue();
		}
		assertThat(this.world.count("select count(*) from violations")).isZero();
	}

	@ParameterizedTest
	@EnumSource(names = { "WorkQueue", "Interest" })
	void areNotTakenByAWiderFilterWhereTheServerRefusesThoseThatOverlap(RetentionPolicy retention) {
		assumeThat(takesFiltersThatOverlap()).as("the server takes filters that overlap").isFalse();
		recreate(retention);
		assertThatException().isThrownBy(() -> this.world.start(WorldApplication.of(new Overlapping())).close())
			.havingRootCause()
			.withMessageContaining("Durable '" + DURABLE + "' of projector 'accounts'")
			.withMessageContaining("retention '" + retention.name() + "'")
			.withMessageContaining("'" + this.world.root() + ".*.deposited' is of ")
			.withMessageContaining("Overlapping.on(Deposited")
			.withMessageContaining("'" + this.world.root() + ".acme.>' is of ")
			.withMessageContaining("Overlapping.onClosed(")
			.withMessageContaining("Consider subjects that do not overlap");
		assertThat(this.world.consumers()).isEmpty();
	}

	@Test
	void areLeftToOthersByADurableWhoseFilterWasWiderBefore() throws Exception {
		recreate(RetentionPolicy.WorkQueue);
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(new Accounts()))) {
			this.world.publish(World.ACME, "a", 1, 1);
			await().until(() -> this.world.version(World.ACME, "a") == 1);
			assertThat(application.isActive()).isTrue();
		}
		await().until(() -> messages() == 0);
		widen();
		publishAsOthers(5);
		if (takesFiltersThatOverlap()) {
			try (AnnotationConfigApplicationContext application = this.world
				.start(WorldApplication.of(new Overlapping()))) {
				this.world.publish(World.ACME, "a", 2, 2);
				await().until(() -> this.world.version(World.ACME, "a") == 2);
				assertThat(filters()).containsExactlyInAnyOrder(this.world.root() + ".*.deposited",
						this.world.root() + ".acme.>");
				await().until(() -> messages() == 5);
				assertThat(application.isActive()).isTrue();
			}
		}
		else {
			assertThatException().isThrownBy(() -> this.world.start(WorldApplication.of(new Overlapping())).close())
				.havingRootCause()
				.withMessageContaining("cannot have filters that overlap");
		}
		assertThat(messages()).isEqualTo(5);
	}

	@ParameterizedTest
	@EnumSource(names = { "PER_KEY", "NONE" })
	void areNotSettledWhereAFilterByHandHasTakenThemFromAWorkQueue(Ordering ordering) throws Exception {
		recreate(RetentionPolicy.WorkQueue);
		ProjectorSettings settings = ProjectorSettings.builder()
			.ordering(ordering)
			.ackWait(Duration.ofSeconds(3))
			.build();
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(new Accounts()).with(settings))) {
			this.world.publish(World.ACME, "a", 1, 1);
			await().until(() -> this.world.version(World.ACME, "a") == 1);
			await().until(() -> messages() == 0);
			widen();
			publishAsOthers(5);
			if (ordering == Ordering.NONE) { // an owner sets the filter back, perhaps
												// before it delivers
				await().until(() -> World.status(application, Accounts.PROJECTOR)
					.detail()
					.contains("does not settle messages of the work queue"));
			}
			this.world.publish(World.ACME, "a", 2, 2);
			await().until(() -> this.world.version(World.ACME, "a") == 2);
			await().until(() -> messages() == 5);
			Steady.holds("nothing of others is settled", Duration.ofSeconds(5), () -> messages() == 5);
		}
		assertThat(this.world.deadLetters(Accounts.PROJECTOR)).isEmpty();
	}

	/** The stream keeps them, so they need not be given back. */
	@Test
	void doNotHoldUpNodesThatCompeteForAStreamThatKeepsThem() throws Exception {
		ProjectorSettings few = ProjectorSettings.builder().ordering(Ordering.NONE).maxAckPending(5).build();
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(new Accounts()).with(few))) {
			this.world.publish(World.ACME, "a", 1, 1);
			await().until(() -> this.world.version(World.ACME, "a") == 1);
			assertThat(application.isActive()).isTrue();
		}
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(new OnlyAcme()).with(few))) {
			this.world.publish(World.ACME, "a", 2, 2);
			await().until(() -> this.world.version(World.ACME, "a") == 2);
			widen();
			publishAsOthers(10);
			for (int account = 0; account < 20; account++) {
				this.world.publish(World.ACME, "n" + account, 1, 1);
			}
			await().until(() -> this.world.count("select count(*) from account where account like 'n%'") == 20);
			assertThat(World.status(application, Accounts.PROJECTOR).state()).isEqualTo(ProjectorState.RUNNING);
		}
	}

	@Test
	void areSettledByNodesThatCompeteWithFewLooksAtWhatOtherVersionsListenTo() throws Exception {
		try (AnnotationConfigApplicationContext application = startCompeting()) {
			widen();
			publishAsOthers(1000);
			await().until(() -> this.world.hasSettledAll(Accounts.PROJECTOR));
			assertThat(durableInfo().getAckFloor().getStreamSequence()).isEqualTo(1001);
			assertThat(application.isActive()).isTrue();
		}
		// a session of PostgreSQL tells its counts when it ends, at the latest
		await().untilAsserted(() -> assertThat(this.world.count("""
				select coalesce(seq_scan, 0) + coalesce(idx_scan, 0) from pg_stat_user_tables
				 where relname = 'projector_coverage'""")).isBetween(3L, 200L));
	}

	/** It has looked just before. */
	@Test
	void areLeftToAVersionThatHasRecordedTheirSubjectAMomentAgo() throws Exception {
		try (AnnotationConfigApplicationContext application = startCompeting()) {
			widen();
			publishAsOthers(3);
			await().until(() -> this.world.hasSettledAll(Accounts.PROJECTOR));
			this.world.jdbc()
				.update("insert into eventing.projector_coverage (projector_name, stream, kind, name) values (?, ?, 'SUBJECT', ?)",
						Accounts.PROJECTOR, this.world.stream(), this.world.root() + ".*.closed");
			publishAsOthers(2);
			await().untilAsserted(() -> assertThat(World.status(application, Accounts.PROJECTOR).detail())
				.contains("leaves events of '" + this.world.root() + ".*.closed'"));
			Steady.holds("they are not settled", Duration.ofSeconds(5), () -> durableInfo().getNumAckPending() == 2);
		}
	}

	private AnnotationConfigApplicationContext startCompeting() {
		AnnotationConfigApplicationContext application = this.world.start(
				WorldApplication.of(new Accounts()).with(ProjectorSettings.builder().ordering(Ordering.NONE).build()));
		this.world.publish(World.ACME, "a", 1, 1);
		await().until(() -> this.world.version(World.ACME, "a") == 1);
		return application;
	}

	private void recreate(RetentionPolicy retention) {
		this.world.jetStream((management) -> {
			management.deleteStream(this.world.stream());
			return management.addStream(StreamConfiguration.builder()
				.name(this.world.stream())
				.subjects(List.of(this.world.root() + ".>"))
				.retentionPolicy(retention)
				.build());
		});
	}

	private void widen() {
		this.world.jetStream((management) -> management.addOrUpdateConsumer(this.world.stream(),
				ConsumerConfiguration.builder(durable()).filterSubjects(this.world.root() + ".*.>").build()));
	}

	private List<String> filters() {
		return durable().getFilterSubjects();
	}

	private ConsumerConfiguration durable() {
		return durableInfo().getConsumerConfiguration();
	}

	private ConsumerInfo durableInfo() {
		return this.world.jetStream((management) -> management.getConsumerInfo(this.world.stream(), DURABLE));
	}

	private long messages() {
		return this.world.jetStream((management) -> management.getStreamInfo(this.world.stream()))
			.getStreamState()
			.getMsgCount();
	}

	/** No events: they have no envelope. */
	private void publishAsOthers(int number) throws Exception {
		try (Connection connection = Nats.connect(this.world.natsUrl())) {
			for (int message = 0; message < number; message++) {
				connection.jetStream()
					.publish(this.world.root() + ".globex.closed",
							("{\"n\":" + message + "}").getBytes(StandardCharsets.UTF_8));
			}
		}
	}

	private int takenByTheirApplication() throws Exception {
		this.world.jetStream((management) -> management.addOrUpdateConsumer(this.world.stream(),
				ConsumerConfiguration.builder()
					.durable("theirs")
					.filterSubject(this.world.root() + ".globex.closed")
					.ackPolicy(AckPolicy.Explicit)
					.build()));
		try (Connection connection = Nats.connect(this.world.natsUrl())) {
			JetStreamSubscription theirs = connection.jetStream()
				.subscribe(null, PullSubscribeOptions.bind(this.world.stream(), "theirs"));
			return theirs.fetch(5, World.PATIENT).size();
		}
	}

	private boolean takesFiltersThatOverlap() {
		return this.world.isServerOf("2.12.5");
	}

	/** The next version of the projector, with another subject. */
	static class OnlyAcme {

		@Autowired
		JdbcTemplate jdbc;

		@ProjectorEventHandler(subject = "${root}.acme.>", projectorName = Accounts.PROJECTOR)
		public void on(Event<Deposited> event) {
			World.apply(this.jdbc, event.payload(), event.tenantId().value());
		}

	}

}
