package dev.eventing.sdk.nats;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;

/** How subject filters with wildcards relate to each other. */
public final class SubjectFilters {

	private SubjectFilters() {
	}

	/**
	 * Whether every subject that {@code inner} matches is matched by {@code outer} too.
	 */
	public static boolean covers(String outer, String inner) {
		String[] outside = outer.split("\\.", -1);
		String[] inside = inner.split("\\.", -1);
		for (int i = 0; i < outside.length; i++) {
			if (outside[i].equals(">")) {
				return inside.length > i;
			}
			if (i >= inside.length || inside[i].equals(">")) {
				return false;
			}
			if (!outside[i].equals("*") && !outside[i].equals(inside[i])) {
				return false;
			}
		}
		return outside.length == inside.length;
	}

	/** Whether some subject is matched by both. */
	public static boolean overlap(String one, String other) {
		String[] first = one.split("\\.", -1);
		String[] second = other.split("\\.", -1);
		for (int i = 0; i < first.length && i < second.length; i++) {
			if (first[i].equals(">") || second[i].equals(">")) {
				return true;
			}
			if (!first[i].equals("*") && !second[i].equals("*") && !first[i].equals(second[i])) {
				return false;
			}
		}
		return first.length == second.length;
	}

	/**
	 * The filters without those another one covers: the server refuses filters that
	 * overlap.
	 */
	public static Set<String> minimal(Collection<String> filters) {
		Set<String> minimal = new LinkedHashSet<>();
		for (String filter : filters) {
			boolean covered = filters.stream().anyMatch((other) -> !other.equals(filter) && covers(other, filter));
			if (!covered) {
				minimal.add(filter);
			}
		}
		return minimal;
	}

}
