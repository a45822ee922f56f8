package dev.eventing.sdk.projection.ledger;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The stream from which a generation is filled.
 *
 * @param stream its name
 * @param created when it was created; tells its incarnations apart
 * @param switchedBy the transaction of the switch, if the generation was live until then:
 * it has settled what earlier transactions claimed for the live one; 0 if transactions
 * have other numbers since; null if the generation was never live
 */
public record SourceStream(String stream, Instant created, @Nullable Long switchedBy) {

	/**
	 * Whether the live generation's claims from before the switch are unknown, because
	 * the database was restored from a dump.
	 */
	public boolean isUnknownWhatWasSettled() {
		return this.switchedBy != null && this.switchedBy == 0;
	}

	/** Whether it is the same stream in the same incarnation. */
	public boolean isSame(String otherStream, Instant otherCreated) {
		return this.stream.equals(otherStream) && this.created.equals(otherCreated);
	}

}
