package dev.eventing.sdk.projection;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * What an operator requested for a projector.
 *
 * @param id its number
 * @param projection the projector's name
 * @param what what is to be done
 * @param state where it stands
 * @param by who requested it, and why
 * @param requestedAt when it was requested
 * @param expiresAt until when a node may do it
 * @param endedAt when it was done, or ended otherwise; null while it waits
 */
public record ProjectionRequest(long id, String projection, What what, State state, By by, Instant requestedAt,
		Instant expiresAt, @Nullable Instant endedAt) {

	/**
	 * The requested change.
	 *
	 * @param action the action
	 * @param generation the number of the generation that is meant; null for a new one
	 * @param options what a switch does not look at
	 * @param build the limits of a build beside the live generation
	 * @param schema where the live tables are to lie; null if that is not changed
	 * @param backfill what a backfill applies; null for other actions
	 * @param part the part of the live read model that is rebuilt; null for other actions
	 */
	public record What(Action action, @Nullable Integer generation, SwitchOptions options, BuildOptions build,
			@Nullable String schema, @Nullable BackfillOptions backfill, @Nullable ScopedRebuild part) {

		/** For all actions but a backfill and the rebuild of a part. */
		public What(Action action, @Nullable Integer generation, SwitchOptions options, BuildOptions build,
				@Nullable String schema) {
			this(action, generation, options, build, schema, null, null);
		}

		/** For an action that has no options, or a switch that looks at everything. */
		public What(Action action, @Nullable Integer generation) {
			this(action, generation, SwitchOptions.STRICT, BuildOptions.DEFAULT, null);
		}

		/** A build beside the live generation. */
		public static What build(BuildOptions limits) {
			return new What(Action.REBUILD_BESIDE, null, SwitchOptions.STRICT, limits, null);
		}

		/** A switch. */
		public static What switchTo(int generation, SwitchOptions options) {
			return new What(Action.SWITCH, generation, options, BuildOptions.DEFAULT, null);
		}

		/** Moves the live tables. */
		public static What adopt(String schema) {
			return new What(Action.ADOPT, null, SwitchOptions.STRICT, BuildOptions.DEFAULT, schema);
		}

		/** A rebuild of a part of the live read model. */
		public static What part(ScopedRebuild part) {
			return new What(Action.REBUILD_SCOPE, null, SwitchOptions.STRICT, BuildOptions.DEFAULT, null, null, part);
		}

		/** A backfill. */
		public static What backfill(BackfillOptions options) {
			return new What(Action.BACKFILL, null, SwitchOptions.STRICT, BuildOptions.DEFAULT, null, options, null);
		}

		/** Whether a switch is made whatever checks find. */
		public boolean isUnchecked() {
			return this.options.isUnchecked();
		}

		/** Whether a switch is made although readers lose columns. */
		public boolean acceptsLostColumns() {
			return this.options.acceptsLostColumns();
		}

	}

	/** The kinds of requests. */
	public enum Action {

		/** Empty the read model and fill it again. */
		REBUILD_IN_PLACE(ProjectionAction.REBUILD_REQUESTED, ProjectionAction.REBUILD_FAILED),

		/** Rebuild a part of the read model, and leave the rest as it is. */
		REBUILD_SCOPE(ProjectionAction.SCOPE_REQUESTED, ProjectionAction.SCOPE_FAILED),

		/** Fill a new generation beside the live one. */
		REBUILD_BESIDE(ProjectionAction.BUILD_REQUESTED, ProjectionAction.BUILD_FAILED),

		/** Make a generation the live one. */
		SWITCH(ProjectionAction.SWITCH_REQUESTED, ProjectionAction.SWITCH_FAILED),

		/** Drop a generation that is not live. */
		RETIRE(ProjectionAction.RETIRE_REQUESTED, ProjectionAction.RETIRE_FAILED),

		/** Move the live tables to a separate schema. */
		ADOPT(ProjectionAction.ADOPT_REQUESTED, ProjectionAction.ADOPT_FAILED),

		/** Apply earlier events to the live read model. */
		BACKFILL(ProjectionAction.BACKFILL_REQUESTED, ProjectionAction.BACKFILL_FAILED);

		private final ProjectionAction requested;

		private final ProjectionAction failed;

		Action(ProjectionAction requested, ProjectionAction failed) {
			this.requested = requested;
			this.failed = failed;
		}

		/**
		 * Whether the owner of the live generation does it, while nothing of the
		 * projector runs.
		 */
		public boolean needsRest() {
			return this == REBUILD_IN_PLACE || this == REBUILD_SCOPE || this == ADOPT || this == BACKFILL;
		}

		/** The entry of the audit that says that it was requested. */
		public ProjectionAction requested() {
			return this.requested;
		}

		/** The entry of the audit that says that it cannot be done. */
		public ProjectionAction failed() {
			return this.failed;
		}

	}

	/**
	 * Where a request stands.
	 *
	 * @param status its status
	 * @param detail what it waits for, why it failed, or what was done; null if there is
	 * nothing to say
	 * @param progress how far a backfill is; null before it has begun, and for other
	 * actions
	 */
	public record State(Status status, @Nullable String detail, @Nullable BackfillProgress progress) {

		/** For a request without its own progress. */
		public State(Status status, @Nullable String detail) {
			this(status, detail, null);
		}

	}

	/**
	 * Who requested it, and why.
	 *
	 * @param actor the user
	 * @param reason the reason
	 */
	public record By(String actor, String reason) {
	}

	/** The status of a request. */
	public enum Status {

		/** The owner of the projector will do it. */
		PENDING,

		/**
		 * It waits until the application's role has the rights for it, which
		 * {@link Projections#ddl statements} give that somebody else runs.
		 */
		NEEDS_DDL,

		/** A backfill is under way. It does not expire any more. */
		RUNNING,

		/** It was done. A read model may still be filled. */
		DONE,

		/**
		 * It cannot be done. Nothing was changed, but by a backfill that was
		 * {@link #RUNNING}: what it has applied stays.
		 */
		FAILED,

		/**
		 * An operator cancelled it. Nothing was changed, but by a backfill that was
		 * {@link #RUNNING}: what it has applied stays.
		 */
		CANCELLED,

		/** No node did it in time. Nothing was changed. */
		EXPIRED;

		/** Whether a request may still be done. */
		public boolean isOpen() {
			return this == PENDING || this == NEEDS_DDL || this == RUNNING;
		}

	}

}
