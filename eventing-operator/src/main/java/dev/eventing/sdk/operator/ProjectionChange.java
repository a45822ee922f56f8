package dev.eventing.sdk.operator;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A requested change of a projector's read model.
 *
 * @param change the projector, who answers for the change, and why
 * @param generation the number of the generation that is meant; null where none is
 * @param inPlace whether the tables that readers use are filled again
 * @param unchecked whether a switch is made whatever the checks would find
 * @param acceptsLostColumns whether a switch is made although readers lose columns
 * @param schema the separate schema that the live tables move to; null where none is
 * meant
 * @param limits the limits of a rebuild, or of a backfill
 * @param expires how long a request may wait for a node; null for the default
 */
public record ProjectionChange(ProjectorChange change, @Nullable Integer generation, boolean inPlace, boolean unchecked,
		boolean acceptsLostColumns, @Nullable String schema, Limits limits, @Nullable Duration expires) {

	/**
	 * The limits of a rebuild, or of a backfill.
	 *
	 * @param rate the most events that it reads in a second; null for no such limit
	 * @param maxSize the most that its tables may take, such as {@code 10GB}; null for no
	 * such limit
	 * @param until the position or the time as of which it shows the read model; null if
	 * it follows its source
	 * @param types the types of the events of a backfill; empty for its handler's
	 * @param handler the handler of a backfill that applies all events; null for one that
	 * applies what is not applied
	 * @param to the last position of a backfill; null for the end
	 * @param part the part of the live read model that is meant
	 */
	public record Limits(@Nullable Integer rate, @Nullable String maxSize, @Nullable String until, List<String> types,
			@Nullable String handler, @Nullable Long to, Part part) {

		public Limits {
			types = List.copyOf(types);
		}

	}

	/**
	 * A part of a live read model; nothing is set where all of it is meant.
	 *
	 * @param tenant the tenant of its rows
	 * @param streams the streams of its rows; empty if none are meant
	 * @param letters the letters whose keys its rows have; empty if none are meant
	 * @param window both ends of a time, with {@code ..} between them
	 * @param mostEvents the most events of one transaction
	 */
	public record Part(@Nullable String tenant, List<String> streams, List<String> letters, @Nullable String window,
			@Nullable Integer mostEvents) {

		public Part {
			streams = List.copyOf(streams);
			letters = List.copyOf(letters);
		}

	}

}
