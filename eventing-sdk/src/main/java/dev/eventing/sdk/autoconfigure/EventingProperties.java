package dev.eventing.sdk.autoconfigure;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

import dev.eventing.sdk.event.EventSubjects;
import dev.eventing.sdk.nats.StreamSpec;
import dev.eventing.sdk.projector.DeliverPolicy;
import dev.eventing.sdk.projector.NewHandlersPolicy;
import dev.eventing.sdk.projector.Ordering;
import dev.eventing.sdk.projector.Parking;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.projector.UnknownTypePolicy;
import dev.eventing.sdk.relay.PublishMode;
import dev.eventing.sdk.relay.RefusedEvents;
import dev.eventing.sdk.relay.RelayOptions;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.schema.SchemaMode;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;
import org.springframework.util.unit.DataSize;

/**
 * The properties {@code eventing.*}.
 *
 * @param enabled Whether projectors are found, wired and run.
 * @param nats how to reach NATS
 * @param schema where the tables are
 * @param store how events are appended and where they are published
 * @param streams Streams to declare, by name: created when missing, given the subjects
 * they lack, otherwise left as they are.
 * @param lease how nodes share out what only one may do
 * @param jdbc how long statements may be unanswered
 * @param relays Relays that publish the event store, by name.
 * @param deadletters what happens to dead letters
 * @param processedEvents how long it is known what was applied
 * @param projector what all projectors share
 * @param projectors Settings of single projectors, by name. They win over the annotation.
 */
@ConfigurationProperties("eventing")
record EventingProperties(@DefaultValue("true") boolean enabled, @DefaultValue Nats nats, @DefaultValue Schema schema,
		@DefaultValue Store store, @DefaultValue Map<String, Stream> streams, @DefaultValue Lease lease,
		@DefaultValue Jdbc jdbc, @DefaultValue Map<String, Relay> relays, @DefaultValue Forwarding deadletters,
		@DefaultValue ProcessedEvents processedEvents, @DefaultValue Projector projector,
		@DefaultValue Map<String, Settings> projectors) {

	/**
	 * How to reach NATS.
	 *
	 * @param servers URLs of the servers of one cluster.
	 * @param connectionName Name the servers show for the connection. Unless set, the
	 * name of the application.
	 * @param connectionTimeout How long one attempt to connect may take.
	 * @param reconnectWait Pause between two attempts to reconnect. Attempts never end.
	 * @param username User to log in with.
	 * @param password Password to log in with.
	 * @param token Token to log in with, in place of a user and a password.
	 * @param credentialsFile File with the JWT and the seed to log in with.
	 * @param ssl how to secure the connection
	 */
	record Nats(@DefaultValue("nats://localhost:4222") List<String> servers, @Nullable String connectionName,
			@DefaultValue("2s") Duration connectionTimeout, @DefaultValue("250ms") Duration reconnectWait,
			@Nullable String username, @Nullable String password, @Nullable String token,
			@Nullable Path credentialsFile, @DefaultValue Ssl ssl) {

		/** Without the secrets. */
		@Override
		public String toString() {
			return "Nats[servers=" + this.servers.size() + ", connectionName=" + this.connectionName + "]";
		}

	}

	/**
	 * How to secure the connection.
	 *
	 * @param bundle Name of the SSL bundle to connect with. Without one, the scheme of
	 * the server URLs decides.
	 */
	record Ssl(@Nullable String bundle) {
	}

	/**
	 * Where the tables are.
	 *
	 * @param mode What happens to the tables of the SDK at start-up.
	 * @param name PostgreSQL schema that holds the tables of the SDK.
	 */
	record Schema(@DefaultValue("validate") SchemaMode mode, @DefaultValue(EventingSchema.DEFAULT_NAME) String name) {
	}

	/**
	 * How events are appended and where they are published.
	 *
	 * @param source Source of all events that are appended. Unless set, the name of the
	 * application.
	 * @param subject Subject a stored event is published to, with the placeholders
	 * {category}, {stream}, {tenant} and {type}.
	 * @param notifies Whether a transaction that appends notifies other processes of it.
	 */
	record Store(@Nullable String source, @DefaultValue(EventSubjects.DEFAULT_PATTERN) String subject,
			@Name("notify") @DefaultValue("false") boolean notifies) {
	}

	/**
	 * A stream to declare.
	 *
	 * @param subjects Subjects the stream must carry.
	 * @param replicas Number of copies a new stream is kept in.
	 * @param duplicateWindow How long a new stream drops repeated message ids. Unless
	 * set, the server decides.
	 */
	record Stream(@DefaultValue List<String> subjects, @DefaultValue("1") int replicas,
			@Nullable Duration duplicateWindow) {

		StreamSpec named(String name) {
			return new StreamSpec(name, this.subjects, this.replicas, this.duplicateWindow);
		}

	}

	/**
	 * How nodes share out what only one may do.
	 *
	 * @param duration How long a node that died still owns what it owned.
	 */
	record Lease(@DefaultValue("5s") Duration duration) {
	}

	/**
	 * How long statements may be unanswered.
	 *
	 * @param statementTimeout How long a statement of the SDK's own may take before it is
	 * cancelled, or its connection given up.
	 * @param handlerTimeout How long one statement in a handler's transaction may be
	 * without an answer before its connection is given up. Zero sets no bound.
	 */
	record Jdbc(@DefaultValue("10s") Duration statementTimeout, @DefaultValue("5m") Duration handlerTimeout) {
	}

	/**
	 * A relay to run.
	 *
	 * @param enabled Whether this node takes part in running it.
	 * @param subject Subject an event is published to. Unless set, that of the store.
	 * @param categories Categories of streams it publishes. Unless set, all.
	 * @param window Number of events it has read and not all confirmed, at most.
	 * @param windowBytes Bytes their payloads have together, at most.
	 * @param pageSize Number of events it reads at once.
	 * @param publishMode Way it publishes: event by event, or in atomic batches.
	 * @param refusedEvents What happens to the stream of an event that cannot be
	 * published.
	 * @param longestPoll How long it waits at most before it looks for new events.
	 * @param stalledAfter How long it may publish nothing while there are events to be
	 * published, before its health is down.
	 */
	record Relay(@DefaultValue("true") boolean enabled, @Nullable String subject, @DefaultValue Set<String> categories,
			@DefaultValue("2000") int window, @DefaultValue("64MB") DataSize windowBytes,
			@DefaultValue("500") int pageSize, @DefaultValue("async") PublishMode publishMode,
			@DefaultValue("stop-stream") RefusedEvents refusedEvents, @DefaultValue("100ms") Duration longestPoll,
			@DefaultValue("5m") Duration stalledAfter) {

		RelayOptions named(String name, Supplier<EventSubjects> subjects) {
			return new RelayOptions(name, (this.subject != null) ? EventSubjects.of(this.subject) : subjects.get(),
					this.categories, new RelayOptions.Bounds(this.window, this.windowBytes.toBytes(), this.pageSize),
					this.publishMode, this.refusedEvents, this.longestPoll, this.stalledAfter);
		}

	}

	/**
	 * What happens to dead letters.
	 *
	 * @param forward Whether each dead letter is also published to the dead-letter
	 * stream, as dlq.[stream].[projector].[tenant].
	 * @param captureAdvisories Whether events that JetStream gave up, or that somebody
	 * else terminated, become dead letters; keeps a small stream of advisories.
	 */
	record Forwarding(@DefaultValue("true") boolean forward, @DefaultValue("false") boolean captureAdvisories) {
	}

	/**
	 * How long it is known what was applied.
	 *
	 * @param prune Whether rows of processed_events are deleted once they are needed no
	 * more.
	 * @param retention How long a row is kept at least. An hour or more.
	 * @param pruneEvery Time between two passes over the table.
	 */
	record ProcessedEvents(@DefaultValue("true") boolean prune, @DefaultValue("7d") Duration retention,
			@DefaultValue("1h") Duration pruneEvery) {
	}

	/**
	 * What all projectors share.
	 *
	 * @param drainTimeout How long a stopping projector may take to finish the events it
	 * holds.
	 * @param defaults what holds where neither annotation nor property says anything
	 */
	record Projector(@DefaultValue("10s") Duration drainTimeout, @DefaultValue Settings defaults) {
	}

	/**
	 * What can be said about a projector.
	 *
	 * @param deliverPolicy Where in its stream a projector that has never run begins.
	 * @param maxDeliver Number of attempts before an event becomes a dead letter.
	 * @param ackWait How long the server waits for a settlement or a sign of life.
	 * @param maxAckPending Number of deliveries that may be unsettled at once.
	 * @param batchSize Largest number of events in one transaction.
	 * @param concurrency Number of lanes that work side by side, each owning some keys.
	 * @param ordering What order is kept among the events.
	 * @param unknownType What happens to an event that no handler takes.
	 * @param retryDelay Delay before the second attempt.
	 * @param retryMultiplier Factor by which the delay grows with each further attempt.
	 * @param retryMaxDelay Longest delay before another attempt.
	 * @param retryFor Classes of the only exceptions that are retried. Empty means all.
	 * @param noRetryFor Classes of exceptions that make a dead letter at the first
	 * attempt.
	 * @param key SpEL expression over the event that gives the key order is kept by.
	 * Unless set, the key of the event itself.
	 * @param source Where the events are read.
	 * @param deadLetters what becomes of its dead letters
	 * @param maxInFlightBytes Size of the events that are held at once, as they are on
	 * the wire.
	 * @param stalledAfter How long nothing may be settled and no handler called while
	 * there is work, before the projector's health is down.
	 * @param newHandlers What a handler that is added gets of the events that were passed
	 * over before.
	 */
	record Settings(@Nullable DeliverPolicy deliverPolicy, @Nullable Integer maxDeliver, @Nullable Duration ackWait,
			@Nullable Integer maxAckPending, @Nullable Integer batchSize, @Nullable Integer concurrency,
			@Nullable Ordering ordering, @Nullable UnknownTypePolicy unknownType, @Nullable Duration retryDelay,
			@Nullable Double retryMultiplier, @Nullable Duration retryMaxDelay, @Nullable Set<Class<?>> retryFor,
			@Nullable Set<Class<?>> noRetryFor, @Nullable String key, @Nullable Source source,
			@Nullable DeadLetters deadLetters, @Nullable DataSize maxInFlightBytes, @Nullable Duration stalledAfter,
			@Nullable NewHandlersPolicy newHandlers) {
	}

	/**
	 * What can be said about a projector's dead letters.
	 *
	 * @param parking What becomes of later events of a dead letter's key. Unless set,
	 * they are parked behind it where order is kept.
	 * @param parkingLimit Number of open dead letters a key may have before its events
	 * wait instead of being parked.
	 * @param redriveFor Classes of exceptions whose dead letters are redriven without
	 * being asked for.
	 * @param redriveDelay Delay before the first redrive that nobody asked for. Doubles
	 * with each, up to an hour.
	 * @param redriveLimit Number of redrives a dead letter gets without being asked for.
	 */
	record DeadLetters(@Nullable Parking parking, @Nullable Integer parkingLimit, @Nullable Set<Class<?>> redriveFor,
			@Nullable Duration redriveDelay, @Nullable Integer redriveLimit) {
	}

}
