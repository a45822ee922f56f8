package dev.eventing.sdk.operator;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.eventing.sdk.deadletter.Redrive;
import org.jspecify.annotations.Nullable;

/**
 * A redrive that was requested, or would be.
 *
 * @param redriveId what to follow its progress by; null for a dry run, and where no
 * letter fits
 * @param letters how many letters in all
 * @param selected how many of them fit the selection
 * @param followers how many go with those, because they are of the same keys
 * @param byProjector how many letters of which projector
 * @param unattended the projectors among them whose handlers no application that is alive
 * has: their letters wait for one
 */
public record RedriveView(@Nullable UUID redriveId, long letters, long selected, long followers,
		Map<String, Long> byProjector, List<String> unattended) {

	static RedriveView of(Redrive redrive, List<String> unattended) {
		return new RedriveView(redrive.redriveId(), redrive.letters(), redrive.selected(), redrive.followers(),
				redrive.byProjector(), unattended);
	}

}
