package dev.eventing.sdk.autoconfigure;

/** The commands that need the application's code. */
enum CommandName {

	/** Reads every stored event with the present code. */
	VERIFY_EVENTS,

	/** Replaces the snapshots of other versions of folds. */
	REBUILD_SNAPSHOTS

}
