package dev.eventing.sdk.projector.delivery;

import dev.eventing.sdk.event.EventPlace;
import dev.eventing.sdk.event.EventReader;
import dev.eventing.sdk.event.RawEvent;
import dev.eventing.sdk.event.ReadResult;
import dev.eventing.sdk.event.SubjectTenant;
import org.jspecify.annotations.Nullable;

/**
 * An event that handlers see with the payload that an operator gave it. Its form on the
 * wire is still that of the source.
 */
public final class EditedEvent implements SourceEvent {

	private final SourceEvent original;

	private final byte[] payload;

	private EditedEvent(SourceEvent original, byte[] payload) {
		this.original = original;
		this.payload = payload;
	}

	/**
	 * Returns the event with the payload that an operator gave it.
	 * @param payload the payload, or null if there is none: then the event itself
	 */
	public static SourceEvent of(SourceEvent original, byte @Nullable [] payload) {
		return (payload != null) ? new EditedEvent(original, payload) : original;
	}

	@Override
	public EventPlace place() {
		return this.original.place();
	}

	@Override
	public String subject() {
		return this.original.subject();
	}

	@Override
	public int size() {
		return this.original.size();
	}

	@Override
	public RawEvent raw() {
		return this.original.raw();
	}

	@Override
	public ReadResult read(EventReader reader, SubjectTenant subjectTenant) {
		if (this.original instanceof WireEvent wire) {
			// its body may be an envelope, as in a redrive
			RawEvent edited = new RawEvent(wire.subject(), wire.raw().headers(), this.payload);
			return reader.read(edited, subjectTenant, wire.place().storedAt());
		}
		ReadResult read = this.original.read(reader, subjectTenant);
		return (read instanceof ReadResult.Readable readable)
				? new ReadResult.Readable(readable.event().map((payload) -> payload.replacedBy(this.payload))) : read;
	}

	@Override
	public boolean isEdited() {
		return true;
	}

}
