package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.lease.LeaseOptions;
import dev.eventing.sdk.relay.RelayOptions;
import dev.eventing.sdk.relay.RelayStatus;
import dev.eventing.sdk.relay.Relays;
import dev.eventing.sdk.store.EventStore;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.NewEvent;
import dev.eventing.sdk.test.server.NatsServer;
import dev.eventing.sdk.test.server.PostgresServer;
import dev.eventing.sdk.test.timing.Patience;
import io.nats.client.Connection;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamSubscription;
import io.nats.client.Message;
import io.nats.client.PushSubscribeOptions;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.DeliverPolicy;
import io.nats.client.api.StreamConfiguration;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A world whose events come from an event store by a relay. */
final class RelayWorld implements AutoCloseable {

	static final String RELAY = "accounts";

	static final Duration LEASE = Duration.ofSeconds(1);

	private final World world;

	private final AnnotationConfigApplicationContext appending;

	private final EventStore store;

	private final TransactionTemplate transaction;

	RelayWorld(World world) {
		this.world = world;
		this.appending = world.start(WorldApplication.of().connectionTimeout(World.PATIENT));
		this.store = this.appending.getBean(EventStore.class);
		this.transaction = new TransactionTemplate(this.appending.getBean(PlatformTransactionManager.class));
	}

	static RelayWorld create() {
		return new RelayWorld(World.create());
	}

	static RelayWorld on(NatsServer nats) {
		return new RelayWorld(World.on(nats));
	}

	static RelayWorld on(NatsServer nats, PostgresServer postgres) {
		return new RelayWorld(World.on(nats, postgres));
	}

	World world() {
		return this.world;
	}

	EventStore store() {
		return this.store;
	}

	TransactionTemplate transaction() {
		return this.transaction;
	}

	/** In the {@link #transaction} this thread is in, if it is in one. */
	JdbcTemplate jdbc() {
		return this.appending.getBean(JdbcTemplate.class);
	}

	/** Under the subjects the projector {@link Accounts} listens to. */
	RelayOptions options() {
		return RelayOptions.named(RELAY).withSubjects(this.world.root() + ".{tenant}.deposited").withWindow(500, 100);
	}

	AnnotationConfigApplicationContext start(RelayOptions... relays) {
		return this.world.start(application(relays));
	}

	static WorldApplication application(RelayOptions... relays) {
		return WorldApplication.of().customize((context) -> {
			context.registerBean(LeaseOptions.class, () -> LeaseOptions.of(LEASE));
			for (RelayOptions options : relays) {
				context.registerBean("relay-" + options.name(), RelayOptions.class, () -> options);
			}
		});
	}

	/** Appends events to one account, in one transaction. */
	void append(TenantId tenant, String account, int events) {
		this.transaction.executeWithoutResult((status) -> {
			long version = this.store.version(tenant, account);
			List<NewEvent> batch = new ArrayList<>();
			for (int i = 0; i < events; i++) {
				version++;
				batch.add(NewEvent.of(new Deposited(account, version, version)));
			}
			this.store.append(tenant, account, ExpectedVersion.any(), batch);
		});
	}

	/**
	 * Sets the database back to a position behind everybody's back, as a failover to a
	 * replica that lagged does, in one moment with what is done there afterwards.
	 * @param drawn up to where its sequence has drawn positions
	 */
	void setBack(long position, long drawn, Runnable afterwards) {
		JdbcTemplate jdbc = this.appending.getBean(JdbcTemplate.class);
		this.transaction.executeWithoutResult((status) -> {
			jdbc.execute("lock table eventing.events in access exclusive mode");
			jdbc.update("update eventing.relay_positions set position = least(position, ?)", position);
			jdbc.update("delete from eventing.events where global_position > ?", position);
			jdbc.update("""
					update eventing.streams s set version = (select coalesce(max(stream_version), 0)
					  from eventing.events e where e.tenant_id = s.tenant_id and e.stream_id = s.stream_id)""");
			setDrawn(drawn);
			afterwards.run();
		});
	}

	void setDrawn(long position) {
		this.appending.getBean(JdbcTemplate.class)
			.queryForList("select setval(pg_get_serial_sequence('eventing.events', 'global_position'), ?)", position);
	}

	/** Ends the connection of the {@link #transaction} this thread is in. */
	void endConnection() {
		World.endConnection(this.appending.getBean(JdbcTemplate.class));
	}

	/**
	 * Keeps leases from being renewed until the {@link #transaction} this thread is in
	 * ends.
	 */
	void lockLeases() {
		this.appending.getBean(JdbcTemplate.class).execute("lock table eventing.leases in exclusive mode");
	}

	/** A round: one event to each account. */
	void appendRound(int accounts) {
		for (int account = 0; account < accounts; account++) {
			append(World.ACME, "account-" + account, 1);
		}
	}

	static RelayStatus status(AnnotationConfigApplicationContext application) {
		return application.getBean(Relays.class).status(RELAY);
	}

	/**
	 * Until the relay is past the last event: its position is that event's, or later
	 * where it knows that the last positions drawn were rolled back. It may be in a JVM
	 * that has yet to start.
	 */
	void awaitDrained(String relay) {
		await().atMost(Patience.PROCESS)
			.ignoreExceptions()
			.untilAsserted(() -> assertThat(this.world
				.count("select position from eventing.relay_positions where relay_name = '" + relay + "'"))
				.isGreaterThanOrEqualTo(
						this.world.count("select coalesce(max(global_position), 0) from eventing.events")));
	}

	void awaitDrained() {
		awaitDrained(RELAY);
	}

	/** The messages of the JetStream stream, in order. */
	List<Stored> stored() {
		return stored(this.world.stream());
	}

	/** The messages of a JetStream stream, in order. */
	List<Stored> stored(String stream) {
		List<Stored> all = new ArrayList<>();
		try (Connection connection = JetStreamApi.connect(this.world.natsUrl())) {
			long left = connection.jetStreamManagement().getStreamInfo(stream).getStreamState().getMsgCount();
			JetStreamSubscription subscription = connection.jetStream()
				.subscribe(">",
						PushSubscribeOptions.builder()
							.stream(stream)
							.ordered(true)
							.configuration(ConsumerConfiguration.builder().deliverPolicy(DeliverPolicy.All).build())
							.build());
			while (all.size() < left) {
				Message message = subscription.nextMessage(Patience.LONG);
				all.add(Stored.of(Objects.requireNonNull(message, "no message came")));
			}
			return all;
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** The messages of the JetStream stream, each event where it came first. */
	List<Stored> firsts() {
		Set<UUID> seen = new HashSet<>();
		return stored().stream().filter((message) -> seen.add(message.id())).toList();
	}

	/**
	 * Every event of the store is in the stream, and of each account the first
	 * occurrences are in the order of versions.
	 * @return how many more messages there are than events
	 */
	long assertThatTheStreamHoldsEverythingInOrder() {
		return assertThatStreamsHoldEverythingInOrder(List.of(this.world.stream()));
	}

	/**
	 * The same, where several streams share the subjects. All events of one account are
	 * in one of them.
	 */
	long assertThatStreamsHoldEverythingInOrder(List<String> streams) {
		List<Stored> all = streams.stream().flatMap((stream) -> stored(stream).stream()).toList();
		Set<UUID> seen = new HashSet<>();
		Map<String, Long> versions = new HashMap<>();
		for (Stored message : all) {
			if (seen.add(message.id())) {
				Long before = versions.put(message.tenant() + "/" + message.streamId(), message.version());
				assertThat(message.version()).as("version of %s at sequence %s", message.streamId(), message.sequence())
					.isEqualTo(((before != null) ? before : 0) + 1);
			}
		}
		Set<UUID> events = new HashSet<>(
				this.world.jdbc().queryForList("select event_id from eventing.events", UUID.class));
		assertThat(seen).as("ids in the stream").isEqualTo(events);
		return (long) all.size() - seen.size();
	}

	<T> T jetStream(JetStreamApi.Call<T> call) {
		return this.world.jetStream(call);
	}

	/** Lets the stream take messages up to this size, or any. */
	void limitMessages(int bytes) {
		this.world.jetStream((JetStreamManagement management) -> management
			.updateStream(StreamConfiguration.builder(management.getStreamInfo(this.world.stream()).getConfiguration())
				.maximumMessageSize(bytes)
				.build()));
	}

	@Override
	public void close() {
		this.appending.close();
		this.world.close();
	}

	/**
	 * A message of the stream.
	 *
	 * @param relay the header that says who published it
	 */
	record Stored(long sequence, String subject, UUID id, String tenant, String streamId, long version, long position,
			String relay) {

		static Stored of(Message message) {
			return new Stored(message.metaData().streamSequence(), message.getSubject(),
					UUID.fromString(message.getHeaders().getFirst("ce-id")),
					message.getHeaders().getFirst("ce-tenantid"), message.getHeaders().getFirst("ce-subject"),
					Long.parseLong(message.getHeaders().getFirst("ce-sequence")),
					Long.parseLong(message.getHeaders().getFirst("Eventing-Position")),
					message.getHeaders().getFirst("Eventing-Relay"));
		}

		long epoch() {
			return Long.parseLong(this.relay.replaceFirst("^[^;]*;([0-9]+);.*", "$1"));
		}

	}

}
