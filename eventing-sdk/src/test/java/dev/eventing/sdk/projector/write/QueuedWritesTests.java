package dev.eventing.sdk.projector.write;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import dev.eventing.sdk.projector.write.QueuedWrites.Group;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class QueuedWritesTests {

	private final QueuedWrites queued = new QueuedWrites();

	@Test
	void groupsTheSameStatementAcrossKeys() {
		for (int key = 0; key < 100; key++) {
			add(key, "upsert", key);
		}
		assertThat(this.queued.size()).isEqualTo(100);
		assertThat(this.queued.drain()).singleElement().satisfies((group) -> {
			assertThat(group.sql()).isEqualTo("upsert");
			assertThat(group.rows()).hasSize(100);
		});
	}

	@Test
	void keepsTheOrderOfAKeyThatInsertsUpdatesAndDeletes() {
		add("a", "insert", 1);
		add("a", "update", 2);
		add("b", "insert", 3);
		add("a", "update", 4);
		add("a", "delete", 5);
		add("b", "update", 6);
		add("c", "delete", 7);
		assertThat(drained()).containsExactly("insert[1, 3]", "update[2, 4, 6]", "delete[5, 7]");
	}

	@Test
	void beginsAnotherGroupWhereAKeyTurnsBack() {
		add("a", "update", 1);
		add("a", "insert", 2);
		add("b", "insert", 3);
		add("b", "update", 4);
		add("c", "update", 5);
		assertThat(drained()).containsExactly("update[1, 5]", "insert[2, 3]", "update[4]");
	}

	@Test
	void joinsNoGroupBeforeASeparationButTheLast() {
		add("a", "insert", 1);
		add("a", "update", 2);
		this.queued.separate();
		add("x", "update", 3);
		add("x", "insert", 4);
		add("x", "insert", 5);
		this.queued.separate();
		add("b", "insert", 6);
		add("b", "update", 7);
		assertThat(drained()).containsExactly("insert[1]", "update[2, 3]", "insert[4, 5, 6]", "update[7]");
	}

	@Test
	void isEmptyAfterItWasDrained() {
		add("a", "insert", 1);
		add("a", "update", 2);
		this.queued.separate();
		assertThat(drained()).hasSize(2);
		assertThat(this.queued.size()).isZero();
		add("a", "insert", 3);
		add("b", "insert", 4);
		assertThat(drained()).containsExactly("insert[3, 4]");
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3, 4, 5, 6, 7, 8 })
	void keepsEachKeysOrderWhateverIsQueued(long seed) {
		Random random = new Random(seed);
		int keys = 1 + random.nextInt(50);
		Map<Integer, List<String>> expected = new HashMap<>();
		int writes = 2000;
		for (int number = 0; number < writes; number++) {
			int key = random.nextInt(keys);
			String sql = "statement " + random.nextInt(5);
			this.queued.add(key, sql, new Object[] { key, number });
			expected.computeIfAbsent(key, (each) -> new ArrayList<>()).add(sql + " " + number);
		}
		Map<Integer, List<String>> actual = new HashMap<>();
		int groups = 0;
		for (Group group : this.queued.drain()) {
			groups++;
			for (Object[] row : group.rows()) {
				actual.computeIfAbsent((Integer) row[0], (each) -> new ArrayList<>()).add(group.sql() + " " + row[1]);
			}
		}
		assertThat(actual).isEqualTo(expected);
		// no key can do with less than its own turns; all share about as many
		int longest = expected.values().stream().mapToInt(List::size).max().orElseThrow();
		assertThat(groups).isLessThan(5 * longest);
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3, 4 })
	void keepsAllBehindASeparationWhateverIsQueued(long seed) {
		Random random = new Random(seed);
		List<Integer> sections = new ArrayList<>();
		int section = 0;
		for (int number = 0; number < 500; number++) {
			if (random.nextInt(20) == 0) {
				this.queued.separate();
				section++;
			}
			sections.add(section);
			this.queued.add(random.nextInt(10), "statement " + random.nextInt(3), new Object[] { number });
		}
		List<Integer> drained = new ArrayList<>();
		for (Group group : this.queued.drain()) {
			group.rows().forEach((row) -> drained.add(sections.get((Integer) row[0])));
		}
		assertThat(drained).hasSize(500).isSorted();
	}

	@Test
	void sharesGroupsAmongKeysOfTheSamePattern() {
		for (int key = 0; key < 1000; key++) {
			add(key, "insert", 1);
			add(key, "update", 2);
			add(key, "update", 3);
			add(key, "delete", 4);
		}
		assertThat(this.queued.drain()).extracting(Group::sql).containsExactly("insert", "update", "delete");
	}

	private void add(Object key, String sql, Object argument) {
		this.queued.add(key, sql, new Object[] { argument });
	}

	private List<String> drained() {
		return this.queued.drain()
			.stream()
			.map((group) -> group.sql() + group.rows().stream().map((row) -> row[0]).toList())
			.toList();
	}

}
