package dev.eventing.soak.fault;

/** How one kind of fault is done. */
interface Fault {

	/** Makes it happen. */
	void begin(Step step) throws Exception;

	/** Ends it; does nothing where it ends by itself. */
	default void end(Step step) throws Exception {
	}

}
