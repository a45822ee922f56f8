package dev.eventing.sdk.deadletter;

import dev.eventing.sdk.event.EventHeaders;
import dev.eventing.sdk.event.HeaderText;
import dev.eventing.sdk.event.PercentCoding;
import dev.eventing.sdk.event.RawEvent;
import org.jspecify.annotations.Nullable;

/**
 * The form in which texts of an event and of its error are written. A database may refuse
 * them as they are: its encoding lacks a character, or a text is too long for an index.
 * The event would then wait for ever, with all later ones of its key. So everything is
 * written again in a form that each database can store. The payload is always kept.
 *
 * @param sqlState why the database refuses them as they are, or null if it does not
 */
public record TextForm(@Nullable String sqlState) {

	/** All texts as they are. */
	public static final TextForm WHOLE = new TextForm(null);

	/** The class of the failure of a letter that had none, if its texts were changed. */
	static final String CHANGED = "TextsChanged";

	/** As many as fit into an index, in characters. */
	private static final int MAX_LENGTH = ParkingKey.MAX_LENGTH;

	/** A short text, such as a type or a key. */
	public @Nullable String text(@Nullable String text) {
		return (this.sqlState != null && text != null) ? StorableText.ofNullable(plain(text), MAX_LENGTH) : text;
	}

	/** An error. Its message and its stack trace are left out where texts are refused. */
	public Failure failure(Failure failure) {
		return (this.sqlState != null) ? left(String.valueOf(text(failure.errorClass()))) : failure;
	}

	private Failure left(String errorClass) {
		return new Failure(errorClass,
				"The database refused a text of this letter (SQL state " + this.sqlState
						+ "). Message and stack trace are"
						+ " left out. Characters outside ASCII in other texts are percent-encoded.",
				null);
	}

	/**
	 * A letter. Its subject and its headers are never cut, because a redrive reads them.
	 */
	public NewDeadLetter letter(NewDeadLetter letter) {
		if (this.sqlState == null) {
			return letter;
		}
		EventIdentity known = letter.identity();
		EventIdentity identity = new EventIdentity(known.tenantId(), known.eventId(), text(known.type()),
				text(known.orderingKey()));
		RawEvent event = new RawEvent(plain(letter.event().subject()), plain(letter.event().headers()),
				letter.event().payload());
		boolean same = identity.equals(known) && event.subject().equals(letter.event().subject())
				&& event.headers().equals(letter.event().headers());
		LetterCause cause = letter.cause();
		Failure failure = (cause.failure() != null) ? failure(cause.failure()) : same ? null : left(CHANGED);
		return new NewDeadLetter(letter.projector(), identity, event, letter.place(),
				new LetterCause(cause.reason(), failure, cause.attempts(), cause.firstFailedAt()), letter.parkingKey(),
				letter.redriveAfter());
	}

	private static EventHeaders plain(EventHeaders headers) {
		EventHeaders.Builder plain = EventHeaders.builder();
		headers.forEach((name, value) -> plain.add(plain(name), plain(value)));
		return plain.build();
	}

	/** Keeps percent signs, so that the attributes of an event are read as before. */
	private static String plain(String text) {
		if (HeaderText.isValue(text)) {
			return text;
		}
		StringBuilder plain = new StringBuilder(text.length() + 16);
		text.codePoints().mapToObj(Character::toString).forEach((character) -> {
			plain.append(HeaderText.isValue(character) ? character : PercentCoding.encode(character));
		});
		return plain.toString();
	}

}
