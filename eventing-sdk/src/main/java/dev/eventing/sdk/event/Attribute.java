package dev.eventing.sdk.event;

/** The attributes of an event by their CloudEvents names; the tenant stands apart. */
enum Attribute {

	ID("id"), TYPE("type"), SOURCE("source"), TIME("time"), SPEC_VERSION("specversion"), STREAM_ID("subject"),
	STREAM_VERSION("sequence"), KEY("partitionkey"), CORRELATION_ID("correlationid"), CAUSATION_ID("causationid");

	static final String HEADER_PREFIX = "ce-";

	static final String TENANT = "tenantid";

	static final String TENANT_HEADER = HEADER_PREFIX + TENANT;

	private final String ceName;

	private final String header;

	Attribute(String ceName) {
		this.ceName = ceName;
		this.header = HEADER_PREFIX + ceName;
	}

	String ceName() {
		return this.ceName;
	}

	String header() {
		return this.header;
	}

	/** Whether a JSON number may stand for its text. */
	boolean mayBeNumber() {
		return switch (this) {
			case STREAM_ID, STREAM_VERSION, KEY, CORRELATION_ID, CAUSATION_ID -> true;
			case ID, TYPE, SOURCE, TIME, SPEC_VERSION -> false;
		};
	}

}
