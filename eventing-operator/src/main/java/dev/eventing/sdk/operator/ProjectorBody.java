package dev.eventing.sdk.operator;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request that changes a projector or its read model. Durations are texts,
 * such as {@code 10m}. An array that is given has at least one element.
 */
public sealed interface ProjectorBody extends ChangeBody {

	/** The reason, for the audit. */
	@Nullable String reason();

	/** The body of a request that a node fulfils later. */
	sealed interface Waiting extends ProjectorBody {

		/** How long it may wait for a node; null for the default. */
		@Nullable String expires();

	}

	/** Pauses a projector on all nodes. */
	record Pause(@Nullable String reason, boolean dryRun, @Nullable String actor) implements ProjectorBody {
	}

	/** Ends the pause of a projector; needs no reason. */
	record Resume(@Nullable String reason, boolean dryRun, @Nullable String actor) implements ProjectorBody {
	}

	/** Lets all appends skip an inline projector. */
	record Demote(@Nullable String reason, boolean dryRun, @Nullable String actor) implements ProjectorBody {
	}

	/** Lets a demoted projector become inline again; needs no reason. */
	record Promote(@Nullable String reason, boolean dryRun, @Nullable String actor) implements ProjectorBody {
	}

	/** Cancels the request that waits. */
	record Cancel(@Nullable String reason, boolean dryRun, @Nullable String actor) implements ProjectorBody {
	}

	/**
	 * Rebuilds a read model: beside the live generation, in place, or a part in place.
	 *
	 * @param inPlace whether the tables that readers use are filled again
	 * @param limits the limits of a build beside the live generation; null for none
	 * @param part the part of the live read model that is meant; null for all of it
	 */
	record Rebuild(boolean inPlace, @Nullable Limits limits, @Nullable Part part, @Nullable String expires,
			@Nullable String reason, boolean dryRun, @Nullable String actor) implements Waiting {
	}

	/**
	 * The limits of a build beside the live generation.
	 *
	 * @param rate the most events that it reads in a second; null for no such limit
	 * @param maxSize the most that its tables may take, such as {@code 10GB}; null for no
	 * such limit
	 * @param until the position or the time as of which it shows the read model; null if
	 * it follows its source
	 */
	record Limits(@Nullable Integer rate, @Nullable String maxSize, @Nullable String until) {
	}

	/**
	 * A part of a live read model.
	 *
	 * @param tenant the tenant of its rows, or of the streams
	 * @param streams the streams of its rows
	 * @param letters the letters whose keys its rows have
	 * @param window both ends of a time, with {@code ..} between them
	 * @param maxEvents the most events of one transaction; null for the default
	 */
	record Part(@Nullable String tenant, @Nullable List<String> streams, @Nullable List<String> letters,
			@Nullable String window, @Nullable Integer maxEvents) {

		public Part {
			streams = (streams != null) ? List.copyOf(streams) : null;
			letters = (letters != null) ? List.copyOf(letters) : null;
		}

	}

	/**
	 * Applies earlier events to the live read model.
	 *
	 * @param types the types of the events; null for those of the handler
	 * @param handler the handler that applies all events; null to apply only those that
	 * are not applied
	 * @param to the last position; null for the end
	 * @param rate the most events that it applies in a second; null for no such limit
	 */
	record Backfill(@Nullable List<String> types, @Nullable String handler, @Nullable Long to, @Nullable Integer rate,
			@Nullable String expires, @Nullable String reason, boolean dryRun,
			@Nullable String actor) implements Waiting {

		public Backfill {
			types = (types != null) ? List.copyOf(types) : null;
		}

	}

	/**
	 * Makes a generation the live one.
	 *
	 * @param generation its number
	 * @param unchecked whether it becomes live whatever the checks would find
	 * @param acceptLostColumns whether it becomes live although readers lose columns
	 */
	record Switch(@Nullable Integer generation, boolean unchecked, boolean acceptLostColumns, @Nullable String expires,
			@Nullable String reason, boolean dryRun, @Nullable String actor) implements Waiting {
	}

	/**
	 * Makes the former generation the live one again.
	 *
	 * @param acceptLostColumns whether it becomes live although readers lose columns
	 */
	record Rollback(boolean acceptLostColumns, @Nullable String expires, @Nullable String reason, boolean dryRun,
			@Nullable String actor) implements Waiting {
	}

	/**
	 * Drops a generation.
	 *
	 * @param generation its number
	 */
	record Retire(@Nullable Integer generation, @Nullable String expires, @Nullable String reason, boolean dryRun,
			@Nullable String actor) implements Waiting {
	}

	/**
	 * Moves the live tables to a separate schema.
	 *
	 * @param toSchema the name of the schema
	 */
	record Adopt(@Nullable String toSchema, @Nullable String expires, @Nullable String reason, boolean dryRun,
			@Nullable String actor) implements Waiting {
	}

	/**
	 * Compares the live generation with the one beside it; needs no reason.
	 *
	 * @param patience how long it may wait for a moment at which both have settled the
	 * same events; null for ten seconds. A record cannot have a component {@code wait}
	 */
	record Diff(@JsonProperty("wait") @Nullable String patience, @Nullable String reason, boolean dryRun,
			@Nullable String actor) implements ProjectorBody {
	}

	/**
	 * Has a node run checks now; needs no reason.
	 *
	 * @param generation the number of a generation beside the live one; null for the live
	 * one
	 * @param check the name of the check; null for all checks of the projector
	 */
	record Reconcile(@Nullable Integer generation, @Nullable String check, @Nullable String expires,
			@Nullable String reason, boolean dryRun, @Nullable String actor) implements Waiting {
	}

}
