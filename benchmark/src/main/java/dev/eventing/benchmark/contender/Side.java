package dev.eventing.benchmark.contender;

/** Who wrote what a contender runs. */
public enum Side {

	/** A loop as a good engineer writes it for one purpose. */
	HANDWRITTEN,

	/** This library. */
	SDK,

	/** Another library, used as its documentation recommends. */
	PEER

}
