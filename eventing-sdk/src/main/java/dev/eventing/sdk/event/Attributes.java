package dev.eventing.sdk.event;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.eventing.sdk.event.ReadResult.Reason;
import org.jspecify.annotations.Nullable;

/**
 * What a wire form tells about one event while it is read, with the first flaw that was
 * found. Not thread-safe.
 */
final class Attributes {

	private final Map<Attribute, Found> found = new EnumMap<>(Attribute.class);

	private final TenantClaims tenants = new TenantClaims();

	private Map<String, String> headers = Map.of();

	private @Nullable ReadError flaw;

	/**
	 * Takes a value, unless it is null or empty, which counts as none.
	 * @param place where it stood, for messages
	 */
	void put(Attribute attribute, String place, @Nullable String value) {
		if (value == null || value.isEmpty()) {
			return;
		}
		String problem = AttributeText.problem(value);
		if (problem != null) {
			invalid(place, value, problem + ".");
			return;
		}
		this.found.put(attribute, new Found(place, value));
	}

	@Nullable String get(Attribute attribute) {
		Found value = this.found.get(attribute);
		return (value != null) ? value.value() : null;
	}

	/** Takes what another form would say in a header, if it could stand in one. */
	void putHeader(String name, @Nullable String value) {
		if (value != null && HeaderText.isValue(value)) {
			if (this.headers.isEmpty()) {
				this.headers = new LinkedHashMap<>();
			}
			this.headers.put(name, value);
		}
	}

	/** The headers with those added that only the body told. */
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

	/** A value that was taken turns out to be malformed. */
	void invalid(Attribute attribute, String problem) {
		Found value = this.found.get(attribute);
		if (value != null) {
			invalid(value.place(), value.value(), problem);
		}
	}

	/** A value cannot be taken. */
	void invalid(String place, String value, String problem) {
		flaw(Reason.INVALID_HEADER, "The " + place + " " + Quoted.of(value) + " " + problem);
	}

	/** Notes a flaw; the first one stays, for what follows may follow from it. */
	void flaw(Reason reason, String detail) {
		if (this.flaw == null) {
			this.flaw = new ReadError(reason, detail);
		}
	}

	/** The first flaw, or null. */
	@Nullable ReadError flaw() {
		return this.flaw;
	}

	private record Found(String place, String value) {

	}

}
