package dev.eventing.sdk.event;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import dev.eventing.sdk.event.ReadResult.Reason;
import org.jspecify.annotations.Nullable;

/**
 * The values that a wire form finds while it reads one event, and the first error found.
 * Not thread-safe.
 */
final class Attributes {

	private final Map<Attribute, String> found = new EnumMap<>(Attribute.class);

	private final TenantClaims tenants = new TenantClaims();

	private final Set<Attribute> malformed = EnumSet.noneOf(Attribute.class);

	private Map<String, String> headers = Map.of();

	private @Nullable ReadError sourceError;

	private @Nullable ReadError error;

	/**
	 * Records a value. Null and the empty text count as no value.
	 * @param place where the value was found, for error texts
	 */
	void put(Attribute attribute, String place, @Nullable String value) {
		if (value == null || value.isEmpty()) {
			return;
		}
		String problem = attribute.mayBeAnyText() ? null : AttributeText.problem(value);
		if (problem != null) {
			malformed(attribute, value, "The " + place + " " + Quoted.of(value) + " " + problem + ".");
			return;
		}
		if (attribute.mayBeAnyText() && (AttributeText.problem(value) != null || isNoVersion(attribute, value))) {
			putHeader(attribute.header(), value);
		}
		this.found.put(attribute, value);
	}

	private static boolean isNoVersion(Attribute attribute, String value) {
		return attribute == Attribute.TYPE_VERSION && !value.chars().allMatch(Character::isDigit);
	}

	/** The value in a form that can be stored. */
	@Nullable String fitted(Attribute attribute) {
		String value = get(attribute);
		return (value != null) ? AttributeText.fitted(value) : null;
	}

	@Nullable String get(Attribute attribute) {
		return this.found.get(attribute);
	}

	/**
	 * Records a value of the body that other wire forms carry in a header, if a header
	 * can hold it.
	 */
	void putHeader(String name, @Nullable String value) {
		if (value != null && HeaderText.isValue(value)) {
			if (this.headers.isEmpty()) {
				this.headers = new LinkedHashMap<>();
			}
			this.headers.put(name, value);
		}
	}

	/** The received headers, plus those that only the body holds. */
	EventHeaders complete(EventHeaders received) {
		if (this.headers.isEmpty()) {
			return received;
		}
		EventHeaders.Builder all = received.toBuilder();
		this.headers.forEach((name, value) -> {
			if (received.first(name) == null) {
				all.add(name, value);
			}
		});
		return all.build();
	}

	TenantClaims tenants() {
		return this.tenants;
	}

	/**
	 * Forgets a value that cannot be read and that the event does not depend on. The
	 * headers of the event keep it.
	 */
	void leaveOut(Attribute attribute) {
		putHeader(attribute.header(), this.found.remove(attribute));
	}

	/**
	 * Reports that an attribute has no value that can be recorded. If the event does not
	 * depend on it, that is no error, and the headers of the event keep what it has.
	 * @param original what the event has in its place
	 */
	void malformed(Attribute attribute, String original, String detail) {
		if (attribute.isDispensable()) {
			putHeader(attribute.header(), original);
		}
		else if (attribute == Attribute.TYPE_VERSION) {
			this.found.put(attribute, original); // no version, like any other text
		}
		else if (attribute == Attribute.SOURCE) {
			putHeader(attribute.header(), original);
			this.sourceError = new ReadError(Reason.INVALID_HEADER, detail);
		}
		else {
			this.malformed.add(attribute);
			error(Reason.INVALID_HEADER, detail);
		}
	}

	/** Why it is not certain which source the event has, or null. */
	@Nullable ReadError sourceError() {
		return this.sourceError;
	}

	/**
	 * The ordering key: the key, else the stream id. Null if there is none, or if the
	 * event has a key that cannot be read, because it then follows another order than
	 * that of its stream.
	 */
	@Nullable String orderingKey() {
		String key = fitted(Attribute.KEY);
		return (key != null || this.malformed.contains(Attribute.KEY)) ? key : fitted(Attribute.STREAM_ID);
	}

	/**
	 * Records an error. The first one is kept, because later ones may be its
	 * consequences.
	 */
	void error(Reason reason, String detail) {
		if (this.error == null) {
			this.error = new ReadError(reason, detail);
		}
	}

	/** The first error, or null. */
	@Nullable ReadError error() {
		return this.error;
	}

}
