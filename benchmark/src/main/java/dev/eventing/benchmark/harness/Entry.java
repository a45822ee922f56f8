package dev.eventing.benchmark.harness;

import dev.eventing.benchmark.contender.Contender;
import dev.eventing.benchmark.contender.ProjectorContender;
import dev.eventing.benchmark.contender.Side;
import dev.eventing.benchmark.measure.Measurement;
import org.jspecify.annotations.Nullable;

/**
 * A contender in one comparison.
 *
 * @param id its id
 * @param title its name for people
 * @param side who wrote it
 * @param loopByHand the id of the loop by hand it is compared with, or null for none
 * @param play plays one round
 */
record Entry(String id, String title, Side side, @Nullable String loopByHand, Play play) {

	/** One that is compared with no loop. */
	Entry(String id, String title, Side side, Play play) {
		this(id, title, side, null, play);
	}

	static Entry of(Contender contender, Play play) {
		return new Entry(contender.id(), contender.title(), contender.side(), play);
	}

	static Entry of(ProjectorContender contender, Play play) {
		return new Entry(contender.id(), contender.title(), contender.side(), contender.loopByHand(), play);
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
