package dev.eventing.sdk.projection;

/** The actions on a projector. */
public enum ProjectionAction {

	/** It was paused. */
	PAUSED,

	/** Its pause was ended. */
	RESUMED,

	/** A rebuild of its read model in place was requested. */
	REBUILD_REQUESTED,

	/** A request was cancelled. */
	REQUEST_CANCELLED,

	/** The requested rebuild cannot be done. */
	REBUILD_FAILED,

	/** Its read model was emptied, and is filled from events. */
	REBUILD_BEGUN,

	/** What its code handles changed during a rebuild, which began again. */
	REBUILD_BEGUN_AGAIN,

	/** Its read model is filled. */
	REBUILT,

	/** A rebuild of a part of its read model was requested. */
	SCOPE_REQUESTED,

	/** A part of its read model is rebuilt. */
	SCOPE_REBUILT,

	/** The requested rebuild of a part cannot be done, or not of all of it. */
	SCOPE_FAILED,

	/** A new generation beside the live one was requested. */
	BUILD_REQUESTED,

	/** A new generation is filled beside the live one. */
	BUILD_BEGUN,

	/** A generation beside the live one has met the end of its source. */
	READY,

	/** A generation is filled up to the position at which it shows the read model. */
	PAST,

	/** A generation beside the live one has failed. */
	BUILD_FAILED,

	/** It was requested to make a generation the live one. */
	SWITCH_REQUESTED,

	/** A generation became the live one. */
	SWITCHED,

	/** The requested switch cannot be made. */
	SWITCH_FAILED,

	/** A generation that was live is not fed any more. */
	STANDBY_ENDED,

	/** It was requested to run checks of its read model, or to compare generations. */
	CHECK_REQUESTED,

	/** It was requested to drop a generation that is not live. */
	RETIRE_REQUESTED,

	/** A generation that was not live is dropped. */
	RETIRED,

	/** The generation cannot be dropped. */
	RETIRE_FAILED,

	/** It was requested to move its tables to a separate schema. */
	ADOPT_REQUESTED,

	/** Its tables are in a separate schema. */
	ADOPTED,

	/** Its tables cannot be moved. */
	ADOPT_FAILED,

	/** It was requested to apply earlier events to its live read model. */
	BACKFILL_REQUESTED,

	/** Earlier events are being applied to its live read model. */
	BACKFILL_BEGUN,

	/** Earlier events are applied to its live read model. */
	BACKFILLED,

	/** A backfill is refused, or has failed. */
	BACKFILL_FAILED,

	/** The application's role was given rights that a request waited for. */
	DDL_RUN,

	/** From then on its handlers run in the transactions that append. */
	INLINE,

	/** Appends had skipped events. Its read model has all of them. */
	HEALED,

	/** From then on it reads the event store, and appends skip it. */
	FOLLOWING,

	/** An operator keeps it from becoming inline. */
	DEMOTED,

	/** An operator lets it become inline again. */
	PROMOTED

}
