package dev.eventing.sdk.projector.rebuild;

import java.util.List;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.nats.JetStreamConfigurationException;
import dev.eventing.sdk.nats.NatsUnavailableException;
import dev.eventing.sdk.nats.StreamLog;
import dev.eventing.sdk.nats.StreamLogs;
import dev.eventing.sdk.nats.SubjectFilters;
import dev.eventing.sdk.projection.Until;
import dev.eventing.sdk.projection.ledger.PastPosition;
import dev.eventing.sdk.projection.ledger.SourceStream;
import dev.eventing.sdk.projector.DeliverPolicy;
import dev.eventing.sdk.projector.NewHandlersPolicy;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorOptions;
import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.ProjectorSettings;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether the source of a projector has all events, so that a read model can be
 * filled from it. The event store has. A stream has if nothing of it was or will be
 * deleted. Thread-safe.
 */
final class SourceCheck {

	private final ProjectorEndpoint endpoint;

	private final ProjectorServices services;

	/** Sends no request yet. */
	SourceCheck(ProjectorEndpoint endpoint, ProjectorServices services) {
		this.endpoint = endpoint;
		this.services = services;
	}

	/** Why no read model of this projector can be filled from events, or null. */
	@Nullable String refusal() {
		if (!this.endpoint.hasOneOwner()) {
			return "Nodes compete for the events of the projector (ordering = NONE), so nobody can fill its read model in"
					+ " order. Consider ordering = PER_KEY.";
		}
		return null;
	}

	/**
	 * Why a read model that is filled from all events would show others than the live
	 * one, or null.
	 */
	@Nullable String partialRefusal() {
		ProjectorOptions options = this.endpoint.options();
		return (options.get(ProjectorSettings::deliverPolicy) == DeliverPolicy.NEW
				|| options.get(ProjectorSettings::newHandlers) == NewHandlersPolicy.FROM_NOW)
						? "The projector does not handle all events from the first one (deliverPolicy = NEW, or"
								+ " newHandlers = FROM_NOW), so a new generation would show others than the live one."
						: null;
	}

	/** Whether the code listens to all events of a subject. */
	boolean isHeard(String subject) {
		return this.endpoint.filterSubjects().stream().anyMatch((own) -> SubjectFilters.covers(own, subject));
	}

	/**
	 * Looks at the source as it is now. Sends requests only if it is a stream.
	 * @param until up to where a read model is to be filled; null for the end
	 */
	Found look(@Nullable Until until) {
		if (this.endpoint.readsEventStore() || !this.endpoint.hasOneOwner()) {
			return Found.STORE;
		}
		try {
			String name = this.services.streams()
				.carrying(this.endpoint.id(), this.endpoint.stream(), this.endpoint.filterSubjects());
			StreamLogs logs = new StreamLogs(this.services.nats());
			StreamLog log = logs.find(name)
				.orElseThrow(() -> new JetStreamConfigurationException("Stream '" + name + "' does not exist."));
			String refusal = refusal(log);
			Past past = (until != null && refusal == null) ? past(logs, log, until) : null;
			return new Found(new SourceStream(name, log.created(), null), log.lastSequence(), past, refusal, false);
		}
		catch (NatsUnavailableException | JetStreamConfigurationException ex) {
			return new Found(null, 0, null, ex.getMessage(), ex instanceof NatsUnavailableException);
		}
	}

	private Past past(StreamLogs logs, StreamLog log, Until until) {
		PastSequence past = new PastSequence(logs, this.services.clock());
		return new Past(until, past.find(log.stream(), log.lastSequence(), until));
	}

	/**
	 * Why a generation that is filled from a stream must not become live, or null.
	 * @param isNew whether it was never live
	 */
	@Nullable String switchRefusal(SourceStream expected, boolean isNew) {
		try {
			StreamLog log = new StreamLogs(this.services.nats()).find(expected.stream()).orElse(null);
			if (log == null || !expected.isSame(log.stream(), log.created())) {
				return "Stream '" + expected.stream() + "' was deleted since the generation was begun. Retire it, and"
						+ " build another.";
			}
			return isNew ? refusal(log) : null;
		}
		catch (EventingException ex) {
			return ex.getMessage();
		}
	}

	private static @Nullable String refusal(StreamLog log) {
		List<String> gaps = log.gaps();
		return gaps.isEmpty() ? null : "Stream '" + log.stream() + "' may lack events. " + String.join(" ", gaps)
				+ " Or consider source = EVENT_STORE, if the events are stored in this database.";
	}

	/**
	 * The source as it is.
	 *
	 * @param stream the stream; null for the event store, or if it is not known
	 * @param last the last sequence of the stream
	 * @param past where the stream was, if that was asked; else null
	 * @param refusal why nothing can be filled from it, or null
	 * @param isTemporary whether a later look may find something else
	 */
	record Found(@Nullable SourceStream stream, long last, @Nullable Past past, @Nullable String refusal,
			boolean isTemporary) {

		/** The event store of the same database, which has all events. */
		static final Found STORE = new Found(null, 0, null, null, false);

		/** Where the stream was. */
		PastPosition.Found upTo(Until until) {
			return (this.past != null && this.past.until().equals(until)) ? this.past.found()
					: new PastPosition.Found(0, "The request is another one than a moment ago.", true);
		}

	}

	/**
	 * Where a stream was.
	 *
	 * @param until when
	 * @param found its sequence, or why there is none
	 */
	record Past(Until until, PastPosition.Found found) {
	}

}
