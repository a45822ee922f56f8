package dev.eventing.sdk.operator;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.eventing.sdk.deadletter.DeadLetters;
import dev.eventing.sdk.deadletter.Redrive;
import org.jspecify.annotations.Nullable;

/**
 * A requested redrive, or its dry run.
 *
 * @param redriveId the id for queries of its progress; null for a dry run, and if no
 * letter matches
 * @param letters the total number of letters
 * @param selected the number of letters that match the selection
 * @param followers the number of further letters that are included because they have the
 * same keys
 * @param byProjector the number of letters by projector
 * @param unattended the projectors whose handlers no running application has; their
 * letters wait for one
 */
public record RedriveView(@Nullable UUID redriveId, long letters, long selected, long followers,
		Map<String, Long> byProjector, List<String> unattended) {

	/** A redrive, with the projectors that are unattended now. */
	public static RedriveView of(Redrive redrive, DeadLetters letters) {
		return of(redrive,
				redrive.byProjector()
					.keySet()
					.stream()
					.filter((projector) -> letters.redriver(projector).isEmpty())
					.sorted()
					.toList());
	}

	/** A redrive with the projectors that a caller found unattended. */
	public static RedriveView of(Redrive redrive, List<String> unattended) {
		return new RedriveView(redrive.redriveId(), redrive.letters(), redrive.selected(), redrive.followers(),
				redrive.byProjector(), unattended);
	}

}
