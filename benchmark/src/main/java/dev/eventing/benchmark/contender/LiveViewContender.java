package dev.eventing.benchmark.contender;

/**
 * Folds events into an {@link AccountState} per account, each event exactly once. There
 * are none at the start.
 */
public interface LiveViewContender extends ProjectorContender {

	/** The header of the version of a state. */
	String VERSION = "Eventing-Version";

	/**
	 * The table that it keeps, or a query in parentheses with an alias, with the columns
	 * of the {@link ReadModel}.
	 */
	String table();

	/**
	 * Whether it pushes each change to {@code projection.<tenant>.<projector>.<account>}
	 * of core NATS, where the header {@value #VERSION} is how often the account has
	 * changed.
	 */
	boolean pushed();

}
