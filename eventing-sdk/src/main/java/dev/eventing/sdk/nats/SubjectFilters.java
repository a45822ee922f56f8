package dev.eventing.sdk.nats;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;

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
	 * Filters of which no two match the same subject, and which match what these match.
	 * Servers before 2.12.5 refuse filters that overlap. If two overlap and neither
	 * covers the other, one takes their place that matches more than both.
	 */
	public static Set<String> disjoint(Collection<String> filters) {
		List<String> disjoint = new ArrayList<>(minimal(filters));
		for (int first = 0; first < disjoint.size(); first++) {
			for (int second = first + 1; second < disjoint.size(); second++) {
				if (overlap(disjoint.get(first), disjoint.get(second))) {
					disjoint.set(first, union(disjoint.get(first), disjoint.remove(second)));
					return disjoint(disjoint);
				}
			}
		}
		return new LinkedHashSet<>(disjoint);
	}

	/** The narrowest filter that covers two that overlap. */
	private static String union(String one, String other) {
		String[] first = one.split("\\.", -1);
		String[] second = other.split("\\.", -1);
		StringJoiner union = new StringJoiner(".");
		for (int i = 0; i < first.length && i < second.length; i++) {
			if (first[i].equals(">") || second[i].equals(">")) {
				return union.add(">").toString();
			}
			union.add(first[i].equals(second[i]) ? first[i] : "*");
		}
		return union.toString();
	}

	/**
	 * The filters without those that another one covers.
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
