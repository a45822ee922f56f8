package dev.eventing.sdk.guarantees;

import java.util.function.Supplier;

import dev.eventing.sdk.test.timing.Patience;

/**
 * Asks again for a switch while a slow machine does not feed the generation in time, as
 * an operator would: the live generation continues meanwhile.
 */
final class PatientSwitch {

	/** How the request ends then. */
	static final String LATE = "The generation did not get to position ";

	private PatientSwitch() {
	}

	/**
	 * Asks for a switch.
	 * @param request asks once, and returns how that ended
	 * @return how it ended at last
	 */
	static String ask(Supplier<String> request) {
		String ended = LATE;
		long deadline = System.nanoTime() + Patience.LONG.toNanos();
		while (ended.startsWith(LATE) && System.nanoTime() - deadline < 0) {
			ended = request.get();
		}
		return ended;
	}

}
