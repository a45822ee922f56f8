package dev.eventing.sdk.event;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * The attributes of an event by their CloudEvents names. The tenant is not among them:
 * {@link TenantClaims} handle it.
 */
enum Attribute {

	ID("id"), TYPE("type"), TYPE_VERSION("dataversion"), SOURCE("source"), TIME("time"), SPEC_VERSION("specversion"),
	STREAM_ID("subject"), STREAM_VERSION("sequence"), KEY("partitionkey"), CORRELATION_ID("correlationid"),
	CAUSATION_ID("causationid");

	static final String HEADER_PREFIX = "ce-";

	static final String TENANT = "tenantid";

	static final String TENANT_HEADER = HEADER_PREFIX + TENANT;

	static final String TENANT_HEADER_PLACE = "header '" + TENANT_HEADER + "'";

	private static final Map<String, Attribute> BY_HEADER = Arrays.stream(values())
		.collect(Collectors.toUnmodifiableMap(Attribute::header, Function.identity()));

	private final String ceName;

	private final String header;

	private final String headerPlace;

	Attribute(String ceName) {
		this.ceName = ceName;
		this.header = HEADER_PREFIX + ceName;
		this.headerPlace = "header '" + this.header + "'";
	}

	/** Whether the headers are those of an event in binary mode. */
	static boolean areIn(EventHeaders headers) {
		return headers.first(ID.header) != null || headers.first(SPEC_VERSION.header) != null;
	}

	/** The attribute that this header holds, or null. The name matches in any case. */
	static @Nullable Attribute ofHeader(String name) {
		if (!name.regionMatches(true, 0, HEADER_PREFIX, 0, HEADER_PREFIX.length())) {
			return null;
		}
		Attribute asWritten = BY_HEADER.get(name);
		if (asWritten != null) {
			return asWritten;
		}
		String lowerCase = name.toLowerCase(Locale.ROOT);
		// It is the same object if the name was in lower case, as that of the tenant is.
		return lowerCase.equals(name) ? null : BY_HEADER.get(lowerCase);
	}

	String ceName() {
		return this.ceName;
	}

	String header() {
		return this.header;
	}

	/** How error texts name the header. */
	String headerPlace() {
		return this.headerPlace;
	}

	/** Whether a JSON body may hold the value as a number instead of a string. */
	boolean mayBeNumber() {
		return switch (this) {
			case TYPE_VERSION, SOURCE, SPEC_VERSION, STREAM_ID, STREAM_VERSION, KEY, CORRELATION_ID, CAUSATION_ID ->
				true;
			case ID, TYPE, TIME -> false;
		};
	}

	/**
	 * Whether an event is what it is without the value: identity, handler, tenant and
	 * order do not depend on it. It is left out if it cannot be read.
	 */
	boolean isDispensable() {
		return switch (this) {
			case TIME, SPEC_VERSION, STREAM_VERSION, CORRELATION_ID, CAUSATION_ID -> true;
			case ID, TYPE, TYPE_VERSION, SOURCE, STREAM_ID, KEY -> false;
		};
	}

	/**
	 * Whether any text will do, because the SDK only compares or passes on what it means.
	 * It is kept in a form that can be stored.
	 */
	boolean mayBeAnyText() {
		return switch (this) {
			case TYPE_VERSION, SOURCE, STREAM_ID, KEY -> true;
			case ID, TYPE, TIME, SPEC_VERSION, STREAM_VERSION, CORRELATION_ID, CAUSATION_ID -> false;
		};
	}

}
