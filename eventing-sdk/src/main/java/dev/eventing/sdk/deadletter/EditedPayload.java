package dev.eventing.sdk.deadletter;

import java.util.Locale;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.json.JsonMapper;

/**
 * Checks the new payload of a letter. Without the check, a typing error would only appear
 * as a failure of the redrive. So the check reads JSON as handlers do.
 */
public final class EditedPayload {

	private final JsonMapper json;

	public EditedPayload(JsonMapper json) {
		this.json = json;
	}

	/**
	 * Accepts an empty payload, because events may have one, and any payload that need
	 * not be JSON.
	 * @throws InvalidPayloadException if the payload must be JSON and is not
	 */
	public void accept(DeadLetter letter, byte[] payload) {
		if (payload.length > 0 && isJsonWanted(letter)) {
			String flaw = flaw(payload);
			if (flaw != null) {
				throw new InvalidPayloadException(letter.letterId(), flaw);
			}
		}
	}

	private boolean isJsonWanted(DeadLetter letter) {
		String contentType = letter.event().headers().first("Content-Type");
		if (contentType != null) {
			String mediaType = contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
			return mediaType.endsWith("/json") || mediaType.endsWith("+json");
		}
		return letter.reason().equals("UNREADABLE:NOT_JSON") || flaw(letter.event().payload()) == null;
	}

	/**
	 * Returns the problem and its place, without any of the content. Null if the JSON is
	 * valid.
	 */
	private @Nullable String flaw(byte[] payload) {
		try (JsonParser parser = this.json.createParser(payload)) {
			if (parser.nextToken() == null) {
				return "there is no value";
			}
			parser.skipChildren();
			return (parser.nextToken() == null) ? null
					: "something follows the value" + place(parser.currentTokenLocation());
		}
		catch (JacksonException ex) {
			return "it cannot be read" + place(ex.getLocation());
		}
	}

	private static String place(@Nullable TokenStreamLocation location) {
		return (location != null) ? " at line " + location.getLineNr() + ", column " + location.getColumnNr() : "";
	}

}
