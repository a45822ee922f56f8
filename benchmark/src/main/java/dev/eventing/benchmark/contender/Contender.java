package dev.eventing.benchmark.contender;

/**
 * One way to do the work of a comparison. Contenders of one comparison do the same work,
 * in turns; a wrong result of one fails the whole run. Instances are made once and used
 * for every round, by one thread.
 */
public interface Contender {

	/**
	 * Names it on the command line and in {@code results.json}: lower-case letters,
	 * digits and {@code -}, such as {@code handwritten-batch-2}.
	 */
	String id();

	/** Names it for people, such as {@code by hand, batches, 2 threads}. */
	String title();

	/** Who wrote it; unless said, another library. */
	default Side side() {
		return Side.PEER;
	}

}
