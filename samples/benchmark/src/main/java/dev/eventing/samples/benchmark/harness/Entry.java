package dev.eventing.samples.benchmark.harness;

import dev.eventing.samples.benchmark.contender.Contender;
import dev.eventing.samples.benchmark.contender.Side;
import dev.eventing.samples.benchmark.measure.Measurement;

/**
 * A contender in one comparison.
 *
 * @param id its id
 * @param title its name for people
 * @param side who wrote it
 * @param play plays one round
 */
record Entry(String id, String title, Side side, Play play) {

	static Entry of(Contender contender, Play play) {
		return new Entry(contender.id(), contender.title(), contender.side(), play);
	}

	/** Plays one round from a clean state, and checks what was done. */
	interface Play {

		/**
		 * Plays a round.
		 * @param events how many events it has
		 * @throws WrongResultException if what was done is not right
		 */
		Measurement round(int events) throws Exception;

	}

}
