package dev.eventing.sdk.store;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.event.Quoted;
import dev.eventing.sdk.event.TenantId;

/**
 * The stream has another version than the append expected, because another transaction
 * appended events first. Nothing was written, and the transaction can continue.
 */
public class VersionConflictException extends EventingException {

	private static final long serialVersionUID = 1L;

	private final transient TenantId tenantId;

	private final String streamId;

	private final transient ExpectedVersion expected;

	private final long actual;

	VersionConflictException(TenantId tenantId, String streamId, ExpectedVersion expected, long actual) {
		super("Stream " + Quoted.of(streamId) + " of tenant '" + tenantId + "' has version " + actual
				+ ", expected was " + expected + ". Consider loading it again and deciding again.");
		this.tenantId = tenantId;
		this.streamId = streamId;
		this.expected = expected;
		this.actual = actual;
	}

	public TenantId tenantId() {
		return this.tenantId;
	}

	public String streamId() {
		return this.streamId;
	}

	public ExpectedVersion expected() {
		return this.expected;
	}

	/** The current version of the stream; 0 if it does not exist. */
	public long actual() {
		return this.actual;
	}

}
