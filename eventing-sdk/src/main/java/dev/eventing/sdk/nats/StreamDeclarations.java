package dev.eventing.sdk.nats;

import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.worker.SupervisedWorker;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Declares the streams of an application, each by itself and once. Only who needs a
 * stream waits for it; the others are declared on a thread of their own meanwhile.
 * Thread-safe.
 */
final class StreamDeclarations {

	private static final Logger logger = LoggerFactory.getLogger(StreamDeclarations.class);

	/** What nobody has needed so far is tried no more often. */
	private static final Duration PAUSE = Duration.ofSeconds(10);

	private final NatsClient client;

	private final OtherDomains otherDomains;

	/** Not declared yet. */
	private final List<StreamSpec> open;

	/** Those of which the log has said that they cannot be declared. */
	private final Set<String> logged = ConcurrentHashMap.newKeySet();

	private final SupervisedWorker others = SupervisedWorker.daemon("eventing-streams", this::declareOthers);

	private long othersSince;

	StreamDeclarations(NatsClient client, List<StreamSpec> declared) {
		this.client = client;
		this.otherDomains = new OtherDomains(client);
		this.open = new CopyOnWriteArrayList<>(declared);
		this.othersSince = System.nanoTime() - PAUSE.toNanos();
	}

	/**
	 * Declares those that are needed, and has the others declared.
	 * @throws NatsUnavailableException if JetStream does not answer; a later call tries
	 * again
	 * @throws JetStreamConfigurationException if the server refuses
	 */
	void declare(Predicate<StreamSpec> needed) {
		RuntimeException failure = null;
		for (StreamSpec spec : this.open) {
			if (needed.test(spec)) {
				try {
					declare(spec);
				}
				catch (RuntimeException ex) {
					failure = (failure != null) ? failure : ex;
				}
			}
		}
		if (failure != null) {
			throw failure;
		}
		if (!this.open.isEmpty() && isTimeForOthers()) {
			this.others.startOnCall();
			this.others.call();
		}
	}

	private synchronized boolean isTimeForOthers() {
		long now = System.nanoTime();
		boolean due = now - this.othersSince >= PAUSE.toNanos();
		if (due) {
			this.othersSince = now;
		}
		return due;
	}

	SupervisedWorker worker() {
		return this.others;
	}

	private void declareOthers() {
		for (StreamSpec spec : this.open) {
			try {
				declare(spec);
				this.others.beat();
			}
			catch (NatsDisconnectedException ex) {
				logger.debug("Stream '{}' is not declared while NATS is away.", spec.name(), ex);
			}
			catch (RuntimeException ex) {
				if (this.logged.add(spec.name())) {
					logger.warn("{} It is tried again.", ex.getMessage());
				}
			}
		}
	}

	/** What else an existing stream is set to is left alone. */
	private void declare(StreamSpec spec) {
		JetStreamManagement management = this.client.management();
		JetStreamErrors.answer(() -> {
			StreamConfiguration existing = find(management, spec.name());
			if (existing == null) {
				requireOneDomain(management, spec, spec.subjects());
				management.addStream(configuration(spec));
				logger.info("Stream '{}' is created with subjects {}.", spec.name(), spec.subjects());
			}
			else {
				addSubjects(management, existing, spec);
			}
			return this.open.remove(spec);
		}, (cause) -> failure(spec, cause));
	}

	private static EventingException failure(StreamSpec spec, Exception cause) {
		String what = "Stream '" + spec.name() + "' cannot be declared with subjects " + spec.subjects();
		String leading = LeadingWildcard.among(spec.subjects());
		return (leading != null && JetStreamErrors.isOverlap(cause))
				? new JetStreamConfigurationException(what + ": " + LeadingWildcard.problem(leading))
				: JetStreamErrors.translate(what, cause);
	}

	/** Null if there is no such stream. */
	static @Nullable StreamConfiguration find(JetStreamManagement management, String name)
			throws IOException, JetStreamApiException {
		try {
			return management.getStreamInfo(name).getConfiguration();
		}
		catch (JetStreamApiException ex) {
			if (ex.getErrorCode() == JetStreamErrors.NOT_FOUND) {
				return null;
			}
			throw ex;
		}
	}

	/**
	 * Refuses subjects that only a stream of another domain carries: with one of this
	 * domain, each event would be stored twice.
	 */
	private void requireOneDomain(JetStreamManagement management, StreamSpec spec, Collection<String> subjects)
			throws IOException, JetStreamApiException {
		for (Map.Entry<String, String> carrier : this.otherDomains.carriers(subjects).entrySet()) {
			if (management.getStreamNames(carrier.getKey()).isEmpty()) {
				String domain = this.client.jetStreamDomain();
				throw new JetStreamConfigurationException("Stream '" + spec.name() + "' is not declared with subjects "
						+ subjects + ((domain != null) ? " in JetStream domain '" + domain + "'" : "") + ": stream '"
						+ carrier.getValue()
						+ "' of another domain carries such subjects, and each event would be stored"
						+ " twice. Consider the domain of that stream, such as the hub's, as eventing.nats.jetstream-domain"
						+ " or by NatsOptions.withJetStreamDomain; or other subjects.");
			}
		}
	}

	private static StreamConfiguration configuration(StreamSpec spec) {
		StreamConfiguration.Builder builder = StreamConfiguration.builder()
			.name(spec.name())
			.subjects(spec.subjects())
			.storageType(StorageType.File)
			.replicas(spec.replicas());
		if (spec.duplicateWindow() != null) {
			builder.duplicateWindow(spec.duplicateWindow());
		}
		return builder.build();
	}

	private void addSubjects(JetStreamManagement management, StreamConfiguration existing, StreamSpec spec)
			throws IOException, JetStreamApiException {
		Set<String> subjects = new LinkedHashSet<>(existing.getSubjects());
		if (subjects.addAll(spec.subjects())) {
			requireOneDomain(management, spec, spec.subjects());
			subjects = SubjectFilters.minimal(subjects);
			management.updateStream(StreamConfiguration.builder(existing).subjects(subjects).build());
			logger.info("Stream '{}' now carries subjects {}, before {}.", spec.name(), subjects,
					existing.getSubjects());
		}
	}

}
