package dev.eventing.sdk.event;

import java.util.Map;

/**
 * The versions in which events are written while some nodes do not read the newest ones
 * yet. An application that updates readers first declares one bean of this type, and
 * removes it when all nodes have the new code. Needs {@link EventDowncaster} beans.
 *
 * @param byType the highest version that is written, by the name of the type
 */
public record WrittenVersions(Map<String, Integer> byType) {

	/** Events are written in the version of their class. */
	public static final WrittenVersions NEWEST = new WrittenVersions(Map.of());

	public WrittenVersions {
		byType = Map.copyOf(byType);
	}

}
