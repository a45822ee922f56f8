package dev.eventing.sdk.nats;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;

/** Compares subject filters with wildcards. */
public final class SubjectFilters {

	private SubjectFilters() {
	}

	/**
	 * Whether {@code outer} matches every subject that {@code inner} matches.
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

	/** Whether at least one subject matches both filters. */
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
	 * The filters without those that another one covers, because the server rejects
	 * overlapping filters.
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
