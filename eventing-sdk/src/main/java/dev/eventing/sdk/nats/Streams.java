package dev.eventing.sdk.nats;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.eventing.sdk.EventingException;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds, checks and declares streams. Thread-safe. */
public final class Streams {

	private static final Logger logger = LoggerFactory.getLogger(Streams.class);

	private final NatsClient client;

	private final List<StreamSpec> declared;

	private volatile boolean allDeclared;

	/**
	 * Does not access a server yet.
	 * @param declared the streams that the application declares; may be empty
	 */
	public Streams(NatsClient client, List<StreamSpec> declared) {
		this.client = client;
		this.declared = List.copyOf(declared);
	}

	/**
	 * Declares the application's streams, once.
	 * @throws NatsUnavailableException if JetStream does not answer; a later call retries
	 * @throws JetStreamConfigurationException if the server rejects a stream
	 */
	public void declareAll() {
		if (!this.allDeclared) {
			this.declared.forEach(this::declare);
			this.allDeclared = true;
		}
	}

	/**
	 * Ensures that the stream exists and carries the subjects. Does not change other
	 * settings of an existing stream.
	 * @throws NatsUnavailableException if JetStream does not answer
	 * @throws JetStreamConfigurationException if the server rejects the stream
	 */
	private void declare(StreamSpec spec) {
		JetStreamManagement management = this.client.management();
		try {
			StreamConfiguration existing = find(management, spec.name());
			if (existing == null) {
				management.addStream(configuration(spec));
				logger.info("Stream '{}' is created with subjects {}.", spec.name(), spec.subjects());
			}
			else {
				addSubjects(management, existing, spec);
			}
		}
		catch (IOException | JetStreamApiException | IllegalStateException ex) {
			String what = "Stream '" + spec.name() + "' cannot be declared with subjects " + spec.subjects();
			String leading = LeadingWildcard.among(spec.subjects());
			if (leading != null && JetStreamErrors.isOverlap(ex)) {
				throw new JetStreamConfigurationException(what + ": " + LeadingWildcard.problem(leading));
			}
			throw failure(what, ex);
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

	private static void addSubjects(JetStreamManagement management, StreamConfiguration existing, StreamSpec spec)
			throws IOException, JetStreamApiException {
		Set<String> subjects = new LinkedHashSet<>(existing.getSubjects());
		if (subjects.addAll(spec.subjects())) {
			subjects = SubjectFilters.minimal(subjects);
			management.updateStream(StreamConfiguration.builder(existing).subjects(subjects).build());
			logger.info("Stream '{}' now carries subjects {}, before {}.", spec.name(), subjects,
					existing.getSubjects());
		}
	}

	/**
	 * The stream that carries these subjects.
	 * @param projector the projector's name, for error texts
	 * @param stream the stream's name, or null to find it by the subjects
	 * @throws NatsUnavailableException if JetStream does not answer
	 * @throws JetStreamConfigurationException if no stream, or more than one, carries
	 * them, or if the named stream does not
	 */
	public String carrying(String projector, @Nullable String stream, Collection<String> subjects) {
		JetStreamManagement management = this.client.management();
		try {
			String name = (stream != null) ? stream : theOneFor(management, projector, subjects);
			StreamConfiguration configuration = find(management, name);
			if (configuration == null) {
				throw new JetStreamConfigurationException("Projector '" + projector + "' reads stream '" + name
						+ "', which does not exist. Consider creating it, or declaring it with eventing.streams." + name
						+ ".subjects.");
			}
			checkCarried(projector, configuration, subjects);
			return name;
		}
		catch (IOException | JetStreamApiException | IllegalStateException ex) {
			throw failure("The stream of projector '" + projector + "' cannot be looked up", ex);
		}
	}

	/**
	 * The streams that carry a subject which matches this filter.
	 * @throws NatsUnavailableException if JetStream does not answer; a single stream that
	 * does not answer is left out
	 * @throws JetStreamConfigurationException if the server rejects the query
	 */
	public Carrying carrying(String filter) {
		declareAll();
		JetStreamManagement management = this.client.management();
		Map<String, List<String>> subjects = new LinkedHashMap<>();
		EventingException unanswered = null;
		for (String name : names(management, filter)) {
			try {
				StreamConfiguration configuration = find(management, name);
				if (configuration != null) {
					subjects.put(name, List.copyOf(configuration.getSubjects()));
				}
			}
			catch (IOException | JetStreamApiException | IllegalStateException ex) {
				unanswered = failure("Stream '" + name + "' cannot be looked up", ex);
			}
		}
		return new Carrying(subjects, unanswered);
	}

	private static List<String> names(JetStreamManagement management, String filter) {
		try {
			return management.getStreamNames(filter);
		}
		catch (IOException | JetStreamApiException | IllegalStateException ex) {
			throw failure("The streams of subject '" + filter + "' cannot be looked up", ex);
		}
	}

	private static String theOneFor(JetStreamManagement management, String projector, Collection<String> subjects)
			throws IOException, JetStreamApiException {
		Set<String> names = new LinkedHashSet<>();
		for (String subject : subjects) {
			names.addAll(management.getStreamNames(subject));
		}
		if (names.size() == 1) {
			return names.iterator().next();
		}
		if (names.isEmpty()) {
			throw new JetStreamConfigurationException("Projector '" + projector + "' listens to " + quoted(subjects)
					+ " but no stream carries that. Consider creating a stream with these subjects, or declaring one with"
					+ " eventing.streams.<NAME>.subjects.");
		}
		throw new JetStreamConfigurationException("Projector '" + projector + "' listens to " + quoted(subjects)
				+ " but more than one stream carries that: " + quoted(names)
				+ ". Consider the attribute stream, or one projector per stream.");
	}

	private static void checkCarried(String projector, StreamConfiguration stream, Collection<String> subjects) {
		List<String> carried = stream.getSubjects();
		if (carried.isEmpty()) {
			return; // a mirror or a stream with sources carries the subjects of its
					// origins
		}
		List<String> missing = new ArrayList<>();
		for (String subject : subjects) {
			if (carried.stream().noneMatch((other) -> SubjectFilters.overlap(other, subject))) {
				missing.add(subject);
			}
		}
		if (!missing.isEmpty()) {
			throw new JetStreamConfigurationException("Projector '" + projector + "' listens to " + quoted(missing)
					+ " but stream '" + stream.getName() + "' carries " + quoted(carried)
					+ ". Consider a subject that it carries, or adding " + quoted(missing) + " to the stream.");
		}
	}

	private static String quoted(Collection<String> names) {
		return "'" + String.join("', '", names) + "'";
	}

	private static @Nullable StreamConfiguration find(JetStreamManagement management, String name)
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

	private static EventingException failure(String what, Exception cause) {
		return JetStreamErrors.translate(what, cause);
	}

	/**
	 * The streams that carry certain subjects.
	 *
	 * @param subjects all subjects of each stream, by the stream's name
	 * @param unanswered the error of another such stream that did not answer; null if all
	 * have answered
	 */
	public record Carrying(Map<String, List<String>> subjects, @Nullable EventingException unanswered) {
	}

}
