package dev.eventing.sdk.projector.write;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

/**
 * Queued writes, in groups with one statement each. A write joins the earliest group of
 * its statement that is not before the last group of its key. So the writes of a key keep
 * their order, and the keys of a batch share as few groups as their orders allow. The
 * cost of n writes is about proportional to n. Not thread-safe.
 */
final class QueuedWrites {

	private final List<Group> groups = new ArrayList<>();

	/** The groups of each statement, by their index. */
	private final Map<String, NavigableMap<Integer, Group>> groupsOf = new HashMap<>();

	/** The index of the group of each key's last write. */
	private final Map<Object, Integer> lastOf = new HashMap<>();

	/** New writes do not join a group before this index. */
	private int first;

	private int size;

	/**
	 * Queues a write.
	 * @param key the write comes after all earlier writes of this key
	 */
	void add(Object key, String sql, @Nullable Object[] args) {
		NavigableMap<Integer, Group> same = this.groupsOf.computeIfAbsent(sql, (each) -> new TreeMap<>());
		Integer at = same.ceilingKey(Math.max(this.first, this.lastOf.getOrDefault(key, 0)));
		if (at == null) {
			at = this.groups.size();
			Group group = new Group(sql, new ArrayList<>());
			this.groups.add(group);
			same.put(at, group);
		}
		this.groups.get(at).rows().add(args);
		this.lastOf.put(key, at);
		this.size++;
	}

	/**
	 * Keeps all later writes after all queued writes, whatever their keys. Later writes
	 * can still join the last group, because they come last in it.
	 */
	void separate() {
		this.first = Math.max(0, this.groups.size() - 1);
	}

	/** The number of queued writes. */
	int size() {
		return this.size;
	}

	/** Removes and returns all groups, in the order in which they must be executed. */
	List<Group> drain() {
		List<Group> drained = List.copyOf(this.groups);
		this.groups.clear();
		this.groupsOf.clear();
		this.lastOf.clear();
		this.first = 0;
		this.size = 0;
		return drained;
	}

	/**
	 * Writes of one statement.
	 *
	 * @param sql the statement
	 * @param rows the arguments of each write, in order
	 */
	record Group(String sql, List<@Nullable Object[]> rows) {
	}

}
