package dev.eventing.sdk.autoconfigure;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

import dev.eventing.sdk.event.EventSubjects;
import dev.eventing.sdk.nats.StreamSpec;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.relay.PublishMode;
import dev.eventing.sdk.relay.RefusedEvents;
import dev.eventing.sdk.relay.RelayOptions;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.schema.SchemaMode;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;
import org.springframework.util.unit.DataSize;

/**
 * The properties {@code eventing.*}.
 *
 * @param enabled Whether projectors are found, wired and run.
 * @param nats the connection to NATS
 * @param schema the schema of the tables
 * @param events in which versions events are written
 * @param store how events are appended and where they are published
 * @param streams Streams to declare, by name. Missing streams are created, missing
 * subjects are added; other settings do not change.
 * @param lease how nodes share work that only one node may do
 * @param jdbc time limits of statements
 * @param watch when a thread counts as hanging
 * @param relays Relays that publish the event store, by name.
 * @param deadletters what happens to dead letters
 * @param processedEvents how long the history of applied events is kept
 * @param reconciliation how read models are compared with their events
 * @param projections how generations of read models are kept
 * @param liveViews the states of live views, and what is pushed of them
 * @param log what the log has of failures
 * @param projector settings of all projectors
 * @param projectors Settings of single projectors, by name. They override the annotation.
 */
@ConfigurationProperties("eventing")
record EventingProperties(@DefaultValue("true") boolean enabled, @DefaultValue Nats nats, @DefaultValue Schema schema,
		@DefaultValue Events events, @DefaultValue Store store, @DefaultValue Map<String, Stream> streams,
		@DefaultValue Lease lease, @DefaultValue Jdbc jdbc, @DefaultValue Watch watch,
		@DefaultValue Map<String, Relay> relays, @DefaultValue Forwarding deadletters,
		@DefaultValue ProcessedEvents processedEvents, @DefaultValue Reconciliation reconciliation,
		@DefaultValue Projections projections, @DefaultValue LiveViews liveViews, @DefaultValue Log log,
		@DefaultValue Projector projector, @DefaultValue Map<String, ProjectorSettings> projectors) {

	/**
	 * The states of live views, and what is pushed of them.
	 *
	 * @param maxStateSize Most that a state may have as JSON, if its view sets no limit.
	 * An event that makes it larger becomes a dead letter.
	 * @param frames Whether this node pushes changes of states over core NATS.
	 */
	record LiveViews(@DefaultValue("256KB") DataSize maxStateSize, @DefaultValue("true") boolean frames) {
	}

	/**
	 * The connection to NATS.
	 *
	 * @param servers URLs of the servers of one cluster.
	 * @param connectionName Name of the connection, which the servers show. By default
	 * the name of the application.
	 * @param connectionTimeout How long one attempt to connect may take.
	 * @param reconnectWait Pause between two attempts to reconnect. Their number has no
	 * limit.
	 * @param username User to log in with.
	 * @param password Password to log in with.
	 * @param token Token to log in with, instead of a user and a password.
	 * @param credentialsFile File with the JWT and the seed to log in with.
	 * @param ssl how to secure the connection
	 * @param jetstreamDomain JetStream domain of the streams, such as that of the hub if
	 * the servers are leaf nodes. By default that of the server.
	 * @param jetstreamApiPrefix Prefix of the subjects of JetStream's API, instead of a
	 * domain.
	 */
	record Nats(@DefaultValue("nats://localhost:4222") List<String> servers, @Nullable String connectionName,
			@DefaultValue("2s") Duration connectionTimeout, @DefaultValue("250ms") Duration reconnectWait,
			@Nullable String username, @Nullable String password, @Nullable String token,
			@Nullable Path credentialsFile, @DefaultValue Ssl ssl, @Nullable String jetstreamDomain,
			@Nullable String jetstreamApiPrefix) {

		/** Omits the secrets. */
		@Override
		public String toString() {
			return "Nats[servers=" + this.servers.size() + ", connectionName=" + this.connectionName + "]";
		}

	}

	/**
	 * How to secure the connection.
	 *
	 * @param bundle Name of the SSL bundle of the connection. Without one, the scheme of
	 * the server URLs decides.
	 */
	record Ssl(@Nullable String bundle) {
	}

	/**
	 * The schema of the tables.
	 *
	 * @param mode What the SDK does with its tables at start-up.
	 * @param name PostgreSQL schema that holds the tables of the SDK.
	 */
	record Schema(@DefaultValue("validate") SchemaMode mode, @DefaultValue(EventingSchema.DEFAULT_NAME) String name) {
	}

	/**
	 * In which versions events are written.
	 *
	 * @param writtenVersions Highest version in which events of a type are written, by
	 * the name of the type, while some nodes do not read the newest one yet.
	 */
	record Events(@DefaultValue Map<String, Integer> writtenVersions) {
	}

	/**
	 * How events are appended and where they are published.
	 *
	 * @param source Source of all appended events. By default the name of the
	 * application.
	 * @param subject Subject to which a stored event is published, with the placeholders
	 * {category}, {stream}, {tenant} and {type}.
	 * @param notifies Whether a transaction that appends events notifies other processes.
	 */
	record Store(@Nullable String source, @DefaultValue(EventSubjects.DEFAULT_PATTERN) String subject,
			@Name("notify") @DefaultValue("false") boolean notifies) {
	}

	/**
	 * A stream to declare.
	 *
	 * @param subjects Subjects the stream must carry.
	 * @param replicas Number of replicas of a new stream.
	 * @param duplicateWindow How long a new stream drops repeated message ids. By default
	 * the server decides.
	 */
	record Stream(@DefaultValue List<String> subjects, @DefaultValue("1") int replicas,
			@Nullable Duration duplicateWindow) {

		StreamSpec named(String name) {
			return new StreamSpec(name, this.subjects, this.replicas, this.duplicateWindow);
		}

	}

	/**
	 * How nodes share work that only one node may do.
	 *
	 * @param duration How long a crashed node keeps its leases before another node can
	 * take over.
	 */
	record Lease(@DefaultValue("5s") Duration duration) {
	}

	/**
	 * Time limits of statements.
	 *
	 * @param statementTimeout How long a statement of the SDK may take before it is
	 * cancelled or its connection is closed.
	 * @param handlerTimeout How long one statement in a handler's transaction may wait
	 * for an answer before its connection is closed. Zero means no limit.
	 */
	record Jdbc(@DefaultValue("10s") Duration statementTimeout, @DefaultValue("5m") Duration handlerTimeout) {
	}

	/**
	 * When a thread counts as hanging.
	 *
	 * @param stalledAfter How long a thread of the SDK may take without a sign of life
	 * before health and the log name it. Projectors and relays have a limit of their own.
	 */
	record Watch(@DefaultValue("5m") Duration stalledAfter) {
	}

	/**
	 * A relay to run.
	 *
	 * @param enabled Whether this node may run the relay.
	 * @param subject Subject to which an event is published. By default that of the
	 * store.
	 * @param categories Categories of streams that it publishes. By default all.
	 * @param window Maximum number of events from the oldest unconfirmed one to the
	 * newest one read.
	 * @param windowBytes Maximum size of the payloads in the window.
	 * @param pageSize Number of events that it reads at once.
	 * @param publishMode How it publishes: event by event, or in atomic batches.
	 * @param refusedEvents What happens to the stream of an event that cannot be
	 * published.
	 * @param longestPoll Longest pause between two polls for new events.
	 * @param stalledAfter How long it may publish nothing while there are events to
	 * publish, before its health is down.
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
	 * @param captureAdvisories Whether events become dead letters that JetStream no
	 * longer delivers because their deliveries are used up or another consumer client
	 * terminated them. Keeps a small stream of advisories.
	 */
	record Forwarding(@DefaultValue("true") boolean forward, @DefaultValue("false") boolean captureAdvisories) {
	}

	/**
	 * How long the history of applied events is kept.
	 *
	 * @param prune Whether rows of processed_events are deleted when they are no longer
	 * needed.
	 * @param retention Minimum time for which a row is kept. One hour or more.
	 * @param pruneEvery Time between two passes over the table.
	 */
	record ProcessedEvents(@DefaultValue("true") boolean prune, @DefaultValue("7d") Duration retention,
			@DefaultValue("1h") Duration pruneEvery) {
	}

	/**
	 * How read models are compared with their events.
	 *
	 * @param timeout How long the query of a check may take. From one second to ten
	 * minutes.
	 * @param downOnDifferences Whether health is down while the last run of a check has
	 * found differences.
	 */
	record Reconciliation(@DefaultValue("30s") Duration timeout, @DefaultValue("false") boolean downOnDifferences) {
	}

	/**
	 * How generations of read models are kept.
	 *
	 * @param standbyLimit How long the former generation of a read model is fed after a
	 * switch, so that it can be rolled back.
	 */
	record Projections(@DefaultValue("24h") Duration standbyLimit) {
	}

	/**
	 * What the log has of failures.
	 *
	 * @param exceptionMessages Whether the log has the messages of exceptions that events
	 * fail with. They may quote an event; long values in them are cut.
	 */
	record Log(@DefaultValue("true") boolean exceptionMessages) {
	}

	/**
	 * Settings of all projectors.
	 *
	 * @param drainTimeout How long a stopping projector may take to finish the events it
	 * holds.
	 * @param defaults the settings that apply if neither annotation nor property sets
	 * them
	 */
	record Projector(@DefaultValue("10s") Duration drainTimeout,
			@DefaultValue @NestedConfigurationProperty ProjectorSettings defaults) {
	}

}
