package dev.eventing.sdk.store;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

import dev.eventing.sdk.event.EventJson;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.json.JsonMapper;

/**
 * Checks that JSON can be stored as {@code jsonb}. If PostgreSQL rejects a value, the
 * caller's transaction is aborted, so this class rejects it before.
 */
final class StorableJson {

	/**
	 * The most bytes, both of the given text and of what {@code jsonb} prints: numbers
	 * with all their digits, so that {@code 1e900} has 901, and a space after each comma
	 * and colon. A {@code jsonb} value holds less than 256 MiB, and takes up to six times
	 * the space of its text. A NATS message has at most 64 MiB.
	 */
	static final int MAX_LENGTH = 16 * 1024 * 1024;

	/**
	 * {@code jsonb} returns a number with all its digits and no exponent, and readers
	 * accept a thousand characters. A {@code numeric} could hold more; a double has
	 * fewer.
	 */
	private static final int MAX_DIGITS = 990;

	/** A comma or a colon, and a space. */
	private static final int SEPARATOR = 2;

	/**
	 * The length of a control character as {@code jsonb} prints it, such as
	 * {@code \u0001}.
	 */
	private static final int ESCAPED = 6;

	/**
	 * The number of bytes that one byte of a text can become: {@code 1e980} has 981
	 * digits.
	 */
	private static final int MOST_GROWTH = 250;

	/** Strict, whatever the application's mapper allows. */
	private static final JsonMapper STRICT = EventJson.mapper();

	private StorableJson() {
	}

	/**
	 * The text of the bytes.
	 * @throws Refused if it cannot be stored; holds what is wrong and what to change
	 */
	static String of(byte[] utf8) throws Refused {
		if (utf8.length > MAX_LENGTH) {
			throw new Refused("is " + utf8.length + " bytes long. Consider at most " + MAX_LENGTH
					+ ", and keeping large things elsewhere");
		}
		String json = decoded(utf8);
		try {
			requireOneValue(json);
			long printed = (utf8.length > MAX_LENGTH / MOST_GROWTH) ? printedLength(json) : 0;
			if (printed > MAX_LENGTH) {
				throw new Refused("is up to " + printed + " bytes long where PostgreSQL prints it, with all digits of"
						+ " numbers such as 1e900. Consider at most " + MAX_LENGTH + ", and such numbers as texts");
			}
		}
		catch (JacksonException ex) {
			// Its message quotes the text.
			throw new Refused("is no JSON text (" + ex.getClass().getSimpleName() + "). Consider RFC 8259");
		}
		return json;
	}

	private static void requireOneValue(String json) throws Refused {
		try (JsonParser parser = STRICT.createParser(json)) {
			JsonToken token = parser.nextToken();
			if (token == null || token == JsonToken.VALUE_NULL) {
				throw new Refused("is empty or JSON null. Consider an object");
			}
			int depth = 0;
			while (token != null) {
				check(token, parser);
				depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
				token = parser.nextToken();
				if (depth == 0 && token != null) {
					throw new Refused("is more than one JSON value. Consider an array");
				}
			}
		}
	}

	/**
	 * The number of bytes that PostgreSQL prints for it.
	 * @param json a text that can be stored
	 */
	static long printedLength(String json) {
		long printed = 0;
		try (JsonParser parser = STRICT.createParser(json)) {
			for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
				printed += printedLength(token, parser);
			}
		}
		return printed;
	}

	/** An upper limit: if a name occurs twice, only one occurrence is printed. */
	private static long printedLength(JsonToken token, JsonParser parser) {
		return switch (token) {
			case PROPERTY_NAME, VALUE_STRING -> SEPARATOR + textLength(parser.getString());
			case VALUE_NUMBER_FLOAT, VALUE_NUMBER_INT -> SEPARATOR + plainLength(parser.getString());
			default -> SEPARATOR + token.asString().length();
		};
	}

	private static long textLength(String text) {
		long length = 2;
		for (int i = 0; i < text.length(); i++) {
			char c = text.charAt(i);
			if (c < ' ') {
				length += ESCAPED;
			}
			else if (c == '"' || c == '\\') {
				length += 2;
			}
			else {
				// a surrogate pair has four bytes, so half of it counts two
				length += (c < 0x80) ? 1 : (c < 0x800 || Character.isSurrogate(c)) ? 2 : 3;
			}
		}
		return length;
	}

	private static long plainLength(String number) {
		if (!hasExponent(number)) {
			return number.length();
		}
		BigDecimal value = new BigDecimal(number);
		return 3L + integerDigits(value) + Math.max(value.scale(), 0);
	}

	private static String decoded(byte[] utf8) throws Refused {
		try {
			// A new decoder reports malformed input instead of replacing it.
			return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
		}
		catch (CharacterCodingException ex) {
			throw new Refused("is not UTF-8. Consider a JSON text in UTF-8");
		}
	}

	private static void check(JsonToken token, JsonParser parser) throws Refused {
		String problem = switch (token) {
			case PROPERTY_NAME, VALUE_STRING -> textProblem(parser.getString());
			case VALUE_NUMBER_FLOAT, VALUE_NUMBER_INT -> numberProblem(parser.getString());
			default -> null;
		};
		if (problem != null) {
			throw new Refused(problem);
		}
	}

	static @Nullable String textProblem(String text) {
		for (int i = 0; i < text.length(); i++) {
			char c = text.charAt(i);
			if (c == 0) {
				return "holds the character U+0000. Consider leaving it out";
			}
			if (Character.isSurrogate(c)) {
				if (!Character.isSurrogatePair(c, (i + 1 < text.length()) ? text.charAt(i + 1) : 0)) {
					return "holds half a surrogate pair. Consider valid Unicode text";
				}
				i++;
			}
		}
		return null;
	}

	private static @Nullable String numberProblem(String number) {
		// Without an exponent the parser has limited the length already.
		if (!hasExponent(number)) {
			return null;
		}
		try {
			BigDecimal value = new BigDecimal(number);
			if (integerDigits(value) + Math.max(value.scale(), 0) <= MAX_DIGITS) {
				return null;
			}
		}
		catch (NumberFormatException ex) {
			// An exponent that exceeds an int exceeds a numeric too.
		}
		return "holds a number of more than " + MAX_DIGITS + " digits. Consider a text";
	}

	private static boolean hasExponent(String number) {
		return number.indexOf('e') >= 0 || number.indexOf('E') >= 0;
	}

	private static long integerDigits(BigDecimal value) {
		return Math.max((long) value.precision() - value.scale(), 1);
	}

	/** Why a text cannot be stored. */
	static final class Refused extends Exception {

		private static final long serialVersionUID = 1L;

		Refused(String problem) {
			super(problem, null, false, false);
		}

		String problem() {
			return String.valueOf(getMessage());
		}

	}

}
