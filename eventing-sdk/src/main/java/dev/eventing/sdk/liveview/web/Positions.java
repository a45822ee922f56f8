package dev.eventing.sdk.liveview.web;

import java.util.ArrayList;
import java.util.List;

import dev.eventing.sdk.liveview.LiveVersion;
import org.jspecify.annotations.Nullable;

/**
 * A client's version of each key of its connection, as the id of an event: the versions
 * in the order of the request's keys, with commas between. For one key that is its
 * version, such as {@code 2.17}. A key of which the client has nothing is {@code -}.
 */
final class Positions {

	private static final String NOTHING = "-";

	private Positions() {
	}

	/**
	 * Reads what the client has.
	 * @param id an id, or null
	 * @param keys the number of keys
	 * @return a position for each key, null where the client has nothing or the id is not
	 * readable: such a client gets the whole state
	 */
	static List<@Nullable LiveVersion> read(@Nullable String id, int keys) {
		String[] parts = (id != null) ? id.split(",", -1) : new String[0];
		List<@Nullable LiveVersion> positions = new ArrayList<>(keys);
		for (int i = 0; i < keys; i++) {
			positions.add((parts.length == keys) ? version(parts[i].trim()) : null);
		}
		return positions;
	}

	private static @Nullable LiveVersion version(String part) {
		if (part.equals(NOTHING)) {
			return null;
		}
		try {
			return LiveVersion.parse(part);
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
	}

	/** Appends a position to an id. */
	static void append(StringBuilder id, @Nullable LiveVersion position) {
		if (!id.isEmpty()) {
			id.append(',');
		}
		if (position == null) {
			id.append(NOTHING);
		}
		else {
			id.append(position.liveEpoch()).append('.').append(position.version());
		}
	}

}
