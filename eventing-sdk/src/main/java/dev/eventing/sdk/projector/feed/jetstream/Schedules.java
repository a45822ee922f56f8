package dev.eventing.sdk.projector.feed.jetstream;

import java.time.Duration;

import dev.eventing.sdk.event.Quoted;
import dev.eventing.sdk.nats.DurableSpec;
import dev.eventing.sdk.nats.Durables;
import dev.eventing.sdk.projector.delivery.Work;

/**
 * Messages that tell the server to publish an event later (ADR-51). A stream with the
 * retention {@code Limits} keeps them after an ack, so the lanes skip them. Other streams
 * would delete them, and nothing would be published: there they are left to the server,
 * which deletes them when it has published their event. For the thread of the intake.
 */
final class Schedules {

	/** After how long one that was left is delivered again. */
	private static final Duration LEFT_FOR = Duration.ofMinutes(1);

	private final Durables durables;

	private final GivenBack givenBack;

	private final SettledMessages messages;

	/** Whether it has looked at what the stream allows. */
	private boolean looked;

	Schedules(Durables durables, SettledMessages messages, GivenBack givenBack) {
		this.durables = durables;
		this.messages = messages;
		this.givenBack = givenBack;
	}

	/** The durable was made ready. */
	void begin() {
		this.looked = false;
	}

	/**
	 * Gives back a schedule that the stream would delete, and returns whether it did.
	 * @throws dev.eventing.sdk.nats.NatsUnavailableException if JetStream does not answer
	 */
	boolean isLeft(Work work) {
		if (!work.routed().isSchedule()) {
			return false;
		}
		noteIfThereAreNone(work);
		if (this.messages.areKept()) {
			return false;
		}
		work.settler().nak(LEFT_FOR);
		this.givenBack.note("schedules", "does not settle messages with the header 'Nats-Schedule', such as of "
				+ subject(work) + ": the stream would delete them before the server has published their events",
				LEFT_FOR);
		return true;
	}

	private void noteIfThereAreNone(Work work) {
		if (this.looked) {
			return;
		}
		DurableSpec current = this.messages.spec();
		if (!this.durables.mayHaveSchedules(current)) {
			this.givenBack.note("no schedules",
					"takes messages with the header 'Nats-Schedule', such as of " + subject(work)
							+ ", for no events, but stream '" + current.stream()
							+ "' does not allow schedules: no server publishes their events",
					LEFT_FOR);
		}
		this.looked = true;
	}

	private static String subject(Work work) {
		return Quoted.of(work.routed().source().subject());
	}

}
