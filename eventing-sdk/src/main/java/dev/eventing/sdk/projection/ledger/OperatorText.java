package dev.eventing.sdk.projection.ledger;

import java.time.Duration;

import dev.eventing.sdk.projection.Projections;

/** Checks what operators say about a change. */
final class OperatorText {

	private OperatorText() {
	}

	static void requirePatience(Duration patience) {
		if (patience.toSeconds() < 1 || patience.compareTo(Projections.LONGEST_PATIENCE) > 0) {
			throw new IllegalArgumentException("'patience' must be from one second to "
					+ Projections.LONGEST_PATIENCE.toDays() + " days, not " + patience + ".");
		}
	}

	static void require(String parameter, String text) {
		if (text.isBlank()) {
			throw new IllegalArgumentException("'" + parameter
					+ "' must not be blank. Consider a text for those who look at the status or the audit.");
		}
	}

}
