package dev.eventing.sdk.projector.write;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

/**
 * Writes that wait to be carried out, in groups of one statement each. A write joins the
 * earliest group of its statement that comes no earlier than the last one its key is in.
 * So the writes of a key keep their order, and the keys of a batch share as few groups as
 * their orders allow; a batch of n writes costs about n. Not thread-safe.
 */
final class QueuedWrites {

	private final List<Group> groups = new ArrayList<>();

	/** The groups of each statement, by where they stand. */
	private final Map<String, NavigableMap<Integer, Group>> groupsOf = new HashMap<>();

	/** Where the last write of each key stands. */
	private final Map<Object, Integer> lastOf = new HashMap<>();

	/** No group before this one is joined any more. */
	private int first;

	private int size;

	/**
	 * Queues a write.
	 * @param key whose writes it has to follow
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
	 * Keeps what is queued from now on behind all that is queued, whatever its key. The
	 * last group can still be joined: what joins it comes last.
	 */
	void separate() {
		this.first = Math.max(0, this.groups.size() - 1);
	}

	/** How many writes are queued. */
	int size() {
		return this.size;
	}

	/** Takes out all groups, in the order they are to be carried out. */
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
