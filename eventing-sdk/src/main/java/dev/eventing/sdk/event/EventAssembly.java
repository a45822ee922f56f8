package dev.eventing.sdk.event;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Pattern;

import dev.eventing.sdk.event.ReadResult.Readable;
import dev.eventing.sdk.event.ReadResult.Reason;
import dev.eventing.sdk.event.ReadResult.Unreadable;
import org.jspecify.annotations.Nullable;

/** Creates an event from its attributes, or the reason why this is impossible. */
final class EventAssembly {

	/** The source of an event whose publisher sets none. */
	private static final String UNKNOWN_SOURCE = "unknown";

	/** A version of CloudEvents. What is none tells nothing of the event's form. */
	private static final Pattern VERSION = Pattern.compile("\\d+(\\..*)?");

	private final Attributes attributes;

	private EventAssembly(Attributes attributes) {
		this.attributes = attributes;
	}

	static ReadResult assemble(Attributes attributes, EventHeaders headers, UnboundPayload payload, Instant received) {
		return new EventAssembly(attributes).assemble(headers, payload, received);
	}

	private ReadResult assemble(EventHeaders headers, UnboundPayload payload, Instant received) {
		String source = Objects.requireNonNullElse(name(Attribute.SOURCE), UNKNOWN_SOURCE);
		UUID id = id(source);
		String type = name(Attribute.TYPE);
		TenantId tenant = this.attributes.tenants().agreed();
		Instant time = time(received);
		Long version = streamVersion();
		TypeVersion typeVersion = TypeVersion.read(this.attributes.get(Attribute.TYPE_VERSION));
		ReadError error = firstError(id, type, tenant);
		if (error != null || id == null || type == null || tenant == null) {
			ReadError why = (error != null) ? error : new ReadError(Reason.INTERNAL_ERROR, "Something is missing.");
			return new Unreadable(why.reason(), detail(why, tenant), id, tenant, type, this.attributes.orderingKey());
		}
		return new Readable(Event.builder(tenant, payload.writtenAs(type, typeVersion))
			.id(id)
			.type(type)
			.source(AttributeText.fitted(source))
			.time(time)
			.streamId(this.attributes.fitted(Attribute.STREAM_ID))
			.streamVersion(version)
			.key(this.attributes.fitted(Attribute.KEY))
			.correlationId(this.attributes.get(Attribute.CORRELATION_ID))
			.causationId(this.attributes.get(Attribute.CAUSATION_ID))
			.headers(this.attributes.complete(headers))
			.buildUnchecked());
	}

	private @Nullable ReadError firstError(@Nullable UUID id, @Nullable String type, @Nullable TenantId tenant) {
		checkSpecVersion();
		ReadError tenantError = (tenant == null) ? this.attributes.tenants().error() : null;
		if (tenantError != null) {
			this.attributes.error(tenantError.reason(), tenantError.detail());
		}
		if (id == null) {
			this.attributes.error(Reason.NO_ID, "The event has no id. Consider the header 'ce-id', 'id' in a"
					+ " structured CloudEvent, or 'eventId' in a JSON envelope.");
		}
		if (type == null) {
			this.attributes.error(Reason.NO_TYPE, "The event has no type. Consider the header 'ce-type', 'type' in a"
					+ " structured CloudEvent, or 'eventType' in a JSON envelope.");
		}
		return this.attributes.error();
	}

	/** Without a tenant, the ledger has the event under another id than its publisher. */
	private String detail(ReadError why, @Nullable TenantId tenant) {
		String id = name(Attribute.ID);
		return (tenant != null || id == null) ? why.detail()
				: String.join(" ", why.detail(), "The publisher's id of the event is " + Quoted.of(id) + ".");
	}

	/** The attribute, or null if it is blank. */
	private @Nullable String name(Attribute attribute) {
		String value = this.attributes.get(attribute);
		return (value == null || value.isBlank()) ? null : value;
	}

	private @Nullable UUID id(String source) {
		String id = name(Attribute.ID);
		if (id == null) {
			return null;
		}
		UUID uuid = CanonicalUuid.parse(id);
		ReadError sourceError = this.attributes.sourceError();
		if (uuid == null && sourceError != null) {
			this.attributes.error(sourceError.reason(), sourceError.detail());
			return null;
		}
		return (uuid != null) ? uuid : UuidV5.of(source, id);
	}

	private Instant time(Instant received) {
		String time = this.attributes.get(Attribute.TIME);
		if (time == null) {
			return received;
		}
		try {
			return WireTime.parse(time);
		}
		catch (DateTimeException ex) {
			this.attributes.leaveOut(Attribute.TIME);
			return received;
		}
	}

	private @Nullable Long streamVersion() {
		String version = this.attributes.get(Attribute.STREAM_VERSION);
		if (version == null) {
			return null;
		}
		try {
			if (isPlainInteger(version)) {
				return Long.valueOf(version);
			}
		}
		catch (NumberFormatException ex) {
			// Nineteen digits may exceed a long: no version, like any other text.
		}
		this.attributes.leaveOut(Attribute.STREAM_VERSION);
		return null;
	}

	/**
	 * Rejects what {@code Long} would also accept: a plus sign, and digits of other
	 * scripts.
	 */
	private static boolean isPlainInteger(String text) {
		for (int i = text.startsWith("-") ? 1 : 0; i < text.length(); i++) {
			if (text.charAt(i) < '0' || text.charAt(i) > '9') {
				return false;
			}
		}
		return true;
	}

	private void checkSpecVersion() {
		String version = this.attributes.get(Attribute.SPEC_VERSION);
		if (version != null && !version.equals("1") && !version.startsWith("1.")
				&& VERSION.matcher(version).matches()) {
			this.attributes.error(Reason.UNSUPPORTED,
					"The CloudEvents version " + Quoted.of(version) + " is not read. Consider '1.0'.");
		}
	}

}
