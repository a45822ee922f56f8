package dev.eventing.sdk.nats;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.worker.Stall;
import dev.eventing.sdk.worker.Watched;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.Message;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.api.StreamInfo;
import io.nats.client.api.StreamInfoOptions;
import org.jspecify.annotations.Nullable;

/** Finds, checks and declares streams. Thread-safe. */
public final class Streams implements Watched {

	private final NatsClient client;

	private final StreamDeclarations declarations;

	/**
	 * Does not access a server yet.
	 * @param declared the streams that the application declares; may be empty
	 */
	public Streams(NatsClient client, List<StreamSpec> declared) {
		this.client = client;
		this.declarations = new StreamDeclarations(client, declared);
	}

	@Override
	public List<Stall> stalls(Duration longest) {
		return this.declarations.worker().stalls(longest);
	}

	/**
	 * Declares all of the application's streams, each once and whatever becomes of the
	 * others.
	 * @throws NatsUnavailableException if JetStream does not answer; a later call tries
	 * again
	 * @throws JetStreamConfigurationException if the server refuses
	 */
	public void declareAll() {
		this.declarations.declare((spec) -> true);
	}

	/**
	 * Declares the streams that carry any of these subjects, once. The application's
	 * others are declared meanwhile, and not waited for.
	 * @throws NatsUnavailableException if JetStream does not answer about one of them; a
	 * later call tries again
	 * @throws JetStreamConfigurationException if the server refuses one of them
	 */
	public void declare(Collection<String> subjects) {
		this.declarations.declare((spec) -> overlap(spec.subjects(), subjects));
	}

	private static boolean overlap(Collection<String> some, Collection<String> others) {
		return some.stream().anyMatch((one) -> others.stream().anyMatch((other) -> SubjectFilters.overlap(one, other)));
	}

	/**
	 * The stream that carries these subjects; it is declared first.
	 * @param projector the projector, for the message
	 * @param stream the stream's name, or null to find it by the subjects
	 * @throws NatsUnavailableException if JetStream does not answer
	 * @throws JetStreamConfigurationException if no stream, or more than one, carries
	 * them, or if the named stream does not
	 */
	public String carrying(ProjectorId projector, @Nullable String stream, Collection<String> subjects) {
		this.declarations
			.declare((spec) -> (stream != null) ? spec.name().equals(stream) : overlap(spec.subjects(), subjects));
		JetStreamManagement management = this.client.management();
		return JetStreamErrors.answer(() -> {
			String name = (stream != null) ? stream : theOneFor(management, projector, subjects);
			StreamConfiguration configuration = StreamDeclarations.find(management, name);
			if (configuration == null) {
				throw new JetStreamConfigurationException("Projector '" + projector + "' reads stream '" + name
						+ "', which does not exist. Consider creating it, or declaring it with eventing.streams." + name
						+ ".subjects.");
			}
			checkCarried(management, projector, configuration, subjects);
			return name;
		}, (cause) -> failure("The stream of projector '" + projector + "' cannot be looked up", cause));
	}

	/**
	 * The streams that carry any subject that fits this filter. They are asked side by
	 * side, so that it takes no longer however many do not answer.
	 * @throws NatsUnavailableException if JetStream does not answer; a stream that alone
	 * does not is left out
	 * @throws JetStreamConfigurationException if the server refuses to say which they are
	 */
	public Carrying carrying(String filter) {
		declare(List.of(filter));
		long began = System.nanoTime();
		Map<String, CompletableFuture<Message>> answers = new LinkedHashMap<>();
		names(this.client.management(), filter).forEach((name) -> answers.put(name, ask(name)));
		Map<String, List<String>> subjects = new LinkedHashMap<>();
		EventingException unanswered = null;
		for (Map.Entry<String, CompletableFuture<Message>> answer : answers.entrySet()) {
			try {
				StreamInfo info = await(answer.getValue(), began + this.client.requestTimeout().toNanos());
				if (info != null) {
					subjects.put(answer.getKey(), List.copyOf(info.getConfiguration().getSubjects()));
				}
			}
			catch (IOException | JetStreamApiException | IllegalStateException ex) {
				unanswered = failure("Stream '" + answer.getKey() + "' cannot be looked up", ex);
			}
		}
		return new Carrying(subjects, unanswered);
	}

	/**
	 * Whether JetStream answers that no stream carries a subject. Asks only over a
	 * connection that is established.
	 */
	boolean isCarriedByNone(String subject) {
		if (!this.client.isConnected()) {
			return false;
		}
		try {
			return names(this.client.management(), subject).isEmpty();
		}
		catch (EventingException ex) {
			return false;
		}
	}

	private CompletableFuture<Message> ask(String stream) {
		try {
			return this.client.connection()
				.requestWithTimeout(this.client.apiSubject("STREAM.INFO." + stream), null,
						this.client.requestTimeout());
		}
		catch (IllegalStateException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	/** Null if there is no such stream. */
	private static @Nullable StreamInfo await(CompletableFuture<Message> answer, long end)
			throws IOException, JetStreamApiException {
		try {
			long left = Math.max(0, end - System.nanoTime());
			StreamInfo info = new StreamInfo(answer.get(left, TimeUnit.NANOSECONDS));
			if (info.getErrorCode() == JetStreamErrors.NOT_FOUND) {
				return null;
			}
			info.throwOnHasError();
			return info;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IOException("Interrupted while waiting for the answer of JetStream.", ex);
		}
		catch (ExecutionException | TimeoutException | CancellationException ex) {
			throw new IOException("JetStream did not answer in time.", ex);
		}
	}

	private static List<String> names(JetStreamManagement management, String filter) {
		return JetStreamErrors.answer(() -> management.getStreamNames(filter),
				(cause) -> failure("The streams of subject '" + filter + "' cannot be looked up", cause));
	}

	private static String theOneFor(JetStreamManagement management, ProjectorId projector, Collection<String> subjects)
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
					+ " eventing.streams.<NAME>.subjects; or the attribute stream, if a stream stores them by a mirror,"
					+ " sources or a subject transform.");
		}
		throw new JetStreamConfigurationException("Projector '" + projector + "' listens to " + quoted(subjects)
				+ " but more than one stream carries that: " + quoted(names)
				+ ". Consider the attribute stream, or one projector per stream.");
	}

	private static void checkCarried(JetStreamManagement management, ProjectorId projector, StreamConfiguration stream,
			Collection<String> subjects) throws IOException, JetStreamApiException {
		StoredSubjects stored = StoredSubjects.of(stream);
		List<String> missing = new ArrayList<>();
		for (String subject : subjects) {
			if (!stored.mayFit(subject)
					&& !(stored.areOfOthersToo() && isHeld(management, stream.getName(), subject))) {
				missing.add(subject);
			}
		}
		if (!missing.isEmpty()) {
			throw new JetStreamConfigurationException("Projector '" + projector + "' listens to " + quoted(missing)
					+ " but stream '" + stream.getName() + "' carries " + quoted(stored.described())
					+ ". Consider a subject that it carries, or adding " + quoted(missing) + " to the stream.");
		}
	}

	/** Whether it has such messages, of a source that it had before. */
	private static boolean isHeld(JetStreamManagement management, String stream, String subject)
			throws IOException, JetStreamApiException {
		return !management.getStreamInfo(stream, StreamInfoOptions.filterSubjects(subject))
			.getStreamState()
			.getSubjects()
			.isEmpty();
	}

	private static String quoted(Collection<String> names) {
		return "'" + String.join("', '", names) + "'";
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
