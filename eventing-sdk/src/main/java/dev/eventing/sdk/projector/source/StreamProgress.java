package dev.eventing.sdk.projector.source;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.SubjectTemplate.InvalidSubjectException;
import dev.eventing.sdk.idempotency.PrunedHistory;
import dev.eventing.sdk.nats.DurableGoneException;
import dev.eventing.sdk.nats.DurableSpec;
import dev.eventing.sdk.nats.DurableState;
import dev.eventing.sdk.nats.Durables;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorLag;
import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.feed.JdbcCoverage;
import dev.eventing.sdk.projector.feed.jetstream.DurableSpecs;
import dev.eventing.sdk.relay.RelayProgress;
import dev.eventing.sdk.store.StoredEvent;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcOperations;

/** The progress of a projector that reads JetStream. Thread-safe. */
final class StreamProgress implements Progress {

	private final ProjectorEndpoint endpoint;

	private final List<ProjectorEndpoint> versions;

	private final ProjectorServices services;

	private final RelayProgress relays;

	private final Durables durables;

	private final SettledEvents settled;

	private final PrunedHistory history;

	private final FillingGuard filling;

	private final JdbcCoverage coverage;

	/** Known as long as there is such a durable. */
	private volatile @Nullable DurableSpec spec;

	StreamProgress(ProjectorEndpoint endpoint, List<ProjectorEndpoint> versions, ProjectorServices services,
			JdbcOperations jdbc) {
		this.endpoint = endpoint;
		this.versions = versions;
		this.services = services;
		this.relays = new RelayProgress(jdbc, services.schema());
		this.durables = new Durables(services.nats());
		this.settled = new SettledEvents(jdbc, services.schema(), endpoint.id());
		this.history = new PrunedHistory(jdbc, services.schema());
		this.filling = new FillingGuard(jdbc, services.schema(), endpoint.id());
		this.coverage = new JdbcCoverage(jdbc, services.schema(), endpoint.id());
	}

	@Override
	public ProjectorLag lag() {
		DurableSpec durable = spec();
		DurableState standing = standing(durable);
		long events = standing.unsettled() + standing.pending();
		Instant oldest = (events > 0) ? this.durables.firstBehind(delivered(durable), standing.floor()) : null;
		if (oldest == null) {
			return new ProjectorLag(events, Duration.ZERO);
		}
		Duration time = Duration.between(oldest, this.services.clock().instant());
		return new ProjectorLag(events, time.isNegative() ? Duration.ZERO : time);
	}

	/** With the subjects that its owner has given it. */
	private DurableSpec delivered(DurableSpec durable) {
		Set<String> subjects = this.coverage.subjectsWith(Set.of(), durable.stream());
		return subjects.isEmpty() ? durable : durable.withFilterSubjects(subjects);
	}

	private DurableState standing(DurableSpec durable) {
		DurableState standing = this.durables.find(durable);
		if (standing == null) {
			this.spec = null; // another stream may carry the subjects by now
			throw new DurableGoneException("Projector '" + this.endpoint.name() + "' has no durable '"
					+ this.endpoint.durableName() + "' yet.");
		}
		return standing;
	}

	private DurableSpec spec() {
		DurableSpec known = this.spec;
		if (known == null) {
			known = DurableSpecs.of(this.endpoint, this.services.streams());
			this.spec = known;
		}
		return known;
	}

	@Override
	public Wait waitFor(long position) {
		StreamWait wait = new StreamWait(position);
		return () -> {
			boolean settledNow = wait.isOver();
			this.filling.requireNone();
			return settledNow;
		};
	}

	/**
	 * If a handler takes the event, a row shows that it is settled. If no handler takes
	 * it, there is no row, and the row of an old event may be pruned. In these cases, and
	 * if some versions take it and others do not, all relays must have passed the event.
	 * Then the durable must pass the events that the stream contained at that moment.
	 */
	private final class StreamWait implements Wait {

		private final long position;

		private @Nullable Boolean taken;

		private long goal = -1;

		StreamWait(long position) {
			this.position = position;
		}

		@Override
		public boolean isOver() {
			if (StreamProgress.this.settled.has(this.position)) {
				return true;
			}
			if (isTaken() || (this.goal < 0 && !StreamProgress.this.relays.areAllPast(this.position))) {
				return false;
			}
			DurableState standing = standing(spec());
			if (this.goal < 0) {
				this.goal = standing.lastInStream();
			}
			return standing.floor() >= this.goal || standing.unsettled() + standing.pending() == 0;
		}

		private boolean isTaken() {
			Boolean known = this.taken;
			if (known == null) {
				Optional<StoredEvent> event = StreamProgress.this.services.store().log().find(this.position);
				known = event.isPresent() && isTaken(event.get().event()) && !isForgotten(event.get());
				this.taken = event.isPresent() ? known : null;
			}
			return known;
		}

		private boolean isForgotten(StoredEvent event) {
			return StreamProgress.this.history.of(StreamProgress.this.endpoint.id())
				.filter((prunedHistory) -> prunedHistory.includes(event.recordedAt()))
				.isPresent();
		}

		private boolean isTaken(Event<?> event) {
			try {
				String subject = StreamProgress.this.services.store().subjects().subjectOf(event);
				return StreamProgress.this.versions.stream()
					.allMatch((version) -> version.handlerOf(event.type(), subject) != null);
			}
			catch (InvalidSubjectException ex) {
				return false;
			}
		}

	}

}
