package dev.eventing.sdk.deadletter;

import dev.eventing.sdk.event.EventHeaders;
import dev.eventing.sdk.event.HeaderText;
import dev.eventing.sdk.event.PercentCoding;
import dev.eventing.sdk.event.RawEvent;
import org.jspecify.annotations.Nullable;

/**
 * The form in which texts of an event and of its error are written. A database may refuse
 * them as they are: a text is too long for an index, or its encoding lacks a character.
 * The event would then wait for ever, with all later ones of its key. So everything is
 * written again in the next form. The payload is always kept.
 *
 * @param sqlState why the database refuses them as they are, or null if it does not
 * @param plain whether they have no character outside ASCII
 */
public record TextForm(@Nullable String sqlState, boolean plain) {

	/** All texts as they are. */
	public static final TextForm WHOLE = new TextForm(null, false);

	/** The class of the failure of a letter that had none, if its texts were changed. */
	static final String CHANGED = "TextsChanged";

	/** As many as fit into an index, in characters. */
	private static final int MAX_LENGTH = ParkingKey.MAX_LENGTH;

	/**
	 * The form to try where this one is refused. First the texts of the error are left
	 * out, and others are cut as an index may need it; then all have ASCII alone, as each
	 * database can store them. Null if there is no further form.
	 */
	public @Nullable TextForm next(String sqlState) {
		return this.plain ? null : new TextForm(sqlState, this.sqlState != null);
	}

	/** A short text, such as a type or a key. */
	public @Nullable String text(@Nullable String text) {
		return (this.sqlState != null && text != null) ? StorableText.ofNullable(shown(text), MAX_LENGTH) : text;
	}

	/** An error. Its message and its stack trace are left out where texts are refused. */
	public Failure failure(Failure failure) {
		return (this.sqlState != null) ? left(String.valueOf(text(failure.errorClass()))) : failure;
	}

	private Failure left(String errorClass) {
		return new Failure(errorClass,
				"The database refused a text (SQL state " + this.sqlState + "). Message and stack trace are left out."
						+ (this.plain ? " Characters outside ASCII in other texts are percent-encoded." : ""),
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
		RawEvent event = this.plain ? plain(letter.event()) : letter.event();
		boolean same = identity.equals(known) && event.subject().equals(letter.event().subject())
				&& event.headers().equals(letter.event().headers());
		LetterCause cause = letter.cause();
		Failure failure = (cause.failure() != null) ? failure(cause.failure()) : same ? null : left(CHANGED);
		return new NewDeadLetter(letter.projector(), identity, event, letter.place(),
				new LetterCause(cause.reason(), failure, cause.attempts(), cause.firstFailedAt()), letter.parkingKey(),
				letter.redriveAfter());
	}

	private String shown(String text) {
		return this.plain ? plain(text) : text;
	}

	private static RawEvent plain(RawEvent event) {
		EventHeaders.Builder headers = EventHeaders.builder();
		event.headers().forEach((name, value) -> headers.add(plain(name), plain(value)));
		return new RawEvent(plain(event.subject()), headers.build(), event.payload());
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
