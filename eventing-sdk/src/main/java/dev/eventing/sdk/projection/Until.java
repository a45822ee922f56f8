package dev.eventing.sdk.projection;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;

/**
 * Up to where a generation is filled that shows a read model as it was. It is one of two:
 * a position of the event store, or of a stream if the projector reads one, or a time.
 */
public sealed interface Until {

	/** The same as text, which {@link #of} reads: the number, or the time in ISO form. */
	String text();

	/**
	 * Reads a position such as {@code 1000}, or a time such as
	 * {@code 2026-01-31T13:45:00Z}.
	 * @throws IllegalArgumentException if it is neither
	 */
	static Until of(String text) {
		try {
			return text.matches("\\d+") ? new Position(Long.parseLong(text)) : new Time(Instant.parse(text));
		}
		catch (DateTimeParseException | NumberFormatException ex) {
			throw new IllegalArgumentException(
					"'" + text + "' is neither a position nor a time. Consider 1000, or 2026-01-31T13:45:00Z.", ex);
		}
	}

	/**
	 * All events up to a position, that one included. For a projector that reads
	 * JetStream it is a sequence of its stream.
	 *
	 * @param position at least 1; no event need have it
	 */
	record Position(long position) implements Until {

		public Position {
			if (position < 1) {
				throw new IllegalArgumentException("A position must be at least 1, not " + position + ".");
			}
		}

		@Override
		public String text() {
			return Long.toString(this.position);
		}

	}

	/**
	 * All events that were recorded at a time or before it, by the clock of the database.
	 * The node that begins the generation looks once which position that is: the last one
	 * before the first event that was recorded later. For a projector that reads
	 * JetStream all messages that its stream had stored by then, by the clock of NATS.
	 *
	 * @param time to the microsecond; not before 1970
	 */
	record Time(Instant time) implements Until {

		public Time {
			if (time.isBefore(Instant.EPOCH)) {
				throw new IllegalArgumentException("A time must not be before 1970, as " + time + " is.");
			}
			time = time.truncatedTo(ChronoUnit.MICROS);
		}

		@Override
		public String text() {
			return this.time.toString();
		}

	}

}
