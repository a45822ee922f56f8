package dev.eventing.sdk.deadletter;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import dev.eventing.sdk.deadletter.ledger.JdbcDeadLetters;
import dev.eventing.sdk.deadletter.ledger.LetterConditions;
import dev.eventing.sdk.deadletter.ledger.LetterQueries;
import dev.eventing.sdk.fixture.Fixture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Lists among a hundred thousand letters: the plan is asserted, and so is the number of
 * blocks that it reads. Times are shown.
 */
@Tag("bulk")
class DeadLetterListIT {

	/** The whole index of the list has some 1,400. */
	private static final long MOST_BLOCKS = 5_000;

	private static final int RUNS = 5;

	private static final int PAGE = 50;

	@RegisterExtension
	static final Fixture FIXTURE = new Fixture();

	/** One connection, as from a pool: later runs have plans for any values. */
	private static SingleConnectionDataSource dataSource;

	private static DeadLetters letters;

	@BeforeAll
	static void addLetters() throws Exception {
		LetterBox box = new LetterBox(FIXTURE);
		ManyLetters.addTo(box);
		dataSource = FIXTURE.opened(new SingleConnectionDataSource(box.dataSource.getConnection(), true));
		letters = new JdbcDeadLetters(dataSource, LetterBox.SCHEMA, JsonMapper.shared());
	}

	/** A filter with one more condition, and that condition in words. */
	private record Condition(String dimension, String words, UnaryOperator<DeadLetterFilter> on) {

		boolean goesWith(Condition other) {
			return this.dimension.compareTo(other.dimension) < 0;
		}

	}

	private record Search(String words, DeadLetterFilter filter) {
	}

	private record Timing(String words, long fastestMicros, long medianMicros, int letters, long blocks, String plan) {

		@Override
		public String toString() {
			return "%-70s %4d letters, %5d blocks, median %6.2f ms, fastest %6.2f ms, %s".formatted(this.words,
					this.letters, this.blocks, this.medianMicros / 1000.0, this.fastestMicros / 1000.0, this.plan);
		}

	}

	@Test
	void listsWithAnyFilterByAnIndex() {
		List<Timing> timings = searches().map(DeadLetterListIT::time).toList();
		System.out.println(timings.size() + " filters among " + ManyLetters.COUNT + " letters, the dearest:");
		timings.stream().sorted(Comparator.comparing(Timing::blocks).reversed()).limit(12).forEach(System.out::println);
		System.out.println("each alone:");
		timings.stream().filter((timing) -> !timing.words().contains(" and ")).forEach(System.out::println);
		assertThat(timings).extracting(Timing::plan).noneMatch((plan) -> plan.contains("Seq Scan"));
		assertThat(timings).filteredOn((timing) -> timing.blocks() > MOST_BLOCKS).isEmpty();
	}

	@Test
	void goesOnWithAnyPageByTheIndex() {
		DeadLetterFilter filter = DeadLetterFilter.ALL.withProjector("projector-1");
		Long next = null;
		long seen = 0;
		do {
			DeadLetterPage page = letters.find(filter, next, DeadLetters.MAX_PAGE);
			seen += page.letters().size();
			next = page.next();
			assertThat(scans(plan(filter, next))).noneMatch((node) -> node.contains("Seq Scan"));
		}
		while (next != null);
		assertThat(seen).isEqualTo(letters.count(filter));
	}

	@Test
	void countsAll() {
		long start = System.nanoTime();
		DeadLetterStats stats = letters.stats(DeadLetterFilter.ALL, Duration.ofHours(1), 24);
		System.out.printf("stats of %d letters in %d groups: %.1f ms%n", ManyLetters.COUNT, stats.groups().size(),
				(System.nanoTime() - start) / 1e6);
		assertThat(stats.groups().stream().mapToLong(DeadLetterStats.Group::letters).sum())
			.isEqualTo(ManyLetters.COUNT);
	}

	private static Stream<Search> searches() {
		List<Condition> all = conditions();
		Stream<Search> single = all.stream()
			.map((one) -> new Search(one.words(), one.on().apply(DeadLetterFilter.ALL)));
		Stream<Search> pairs = all.stream()
			.flatMap((one) -> all.stream()
				.filter(one::goesWith)
				.map((other) -> new Search(one.words() + " and " + other.words(),
						other.on().apply(one.on().apply(DeadLetterFilter.ALL)))));
		return Stream.of(Stream.of(new Search("all", DeadLetterFilter.ALL)), single, pairs, Stream.of(narrow()))
			.flatMap((searches) -> searches);
	}

	/** With all conditions at once, for which nothing fits. */
	private static Search narrow() {
		Instant now = Instant.now();
		return new Search("every condition and none fits",
				new DeadLetterFilter(Set.of(), "projector-0", ManyLetters.TENANT, "type.0.1", "dev.shop.Error13",
						"key-77", DeadLetterStatus.PARKED,
						new DeadLetterFilter.TimeRange(now.minus(Duration.ofDays(9)), now)));
	}

	private static List<Condition> conditions() {
		Instant now = Instant.now();
		List<Condition> all = new ArrayList<>();
		for (String projector : List.of("projector-0", "projector-4", "projector-9", "nobody")) {
			all.add(new Condition("projector", projector, (filter) -> filter.withProjector(projector)));
		}
		all.add(new Condition("tenant", "tenant-3", (filter) -> filter.withTenantId(ManyLetters.TENANT)));
		all.add(new Condition("tenant", "tenant rare", (filter) -> filter.withTenantId(ManyLetters.RARE_TENANT)));
		for (String type : List.of("type.0.1", "type.1.1", "type.9.2", "type.nobody")) {
			all.add(new Condition("type", type, (filter) -> filter.withEventType(type)));
		}
		for (String error : List.of("dev.shop.Error3", "dev.shop.Error13", "dev.shop.Error96", "dev.shop.NoError")) {
			all.add(new Condition("error", error, (filter) -> filter.withErrorClass(error)));
		}
		for (String key : List.of("key-77", "key-nobody")) {
			all.add(new Condition("key", key, (filter) -> filter.withOrderingKey(key)));
		}
		for (DeadLetterStatus status : DeadLetterStatus.values()) {
			all.add(new Condition("status", status.name(), (filter) -> filter.withStatus(status)));
		}
		all.add(dead("last hour", now.minus(Duration.ofHours(1)), null));
		all.add(dead("before 10 days", null, now.minus(Duration.ofDays(10))));
		all.add(dead("an hour a week ago", now.minus(Duration.ofHours(169)), now.minus(Duration.ofDays(7))));
		all.add(dead("tomorrow", now.plus(Duration.ofDays(1)), null));
		Set<UUID> unknown = Set.of(new UUID(0, 1), new UUID(0, 2));
		all.add(new Condition("ids", "unknown ids", (filter) -> filter.withLetterIds(unknown)));
		return all;
	}

	private static Condition dead(String words, @Nullable Instant after, @Nullable Instant before) {
		return new Condition("time", words, (filter) -> filter.withDead(after, before));
	}

	private static Timing time(Search search) {
		int found = 0;
		long[] micros = new long[RUNS];
		for (int run = 0; run < RUNS; run++) {
			long start = System.nanoTime();
			found = letters.find(search.filter(), null, PAGE).letters().size();
			micros[run] = (System.nanoTime() - start) / 1000;
		}
		long[] sorted = LongStream.of(micros).sorted().toArray();
		JsonNode plan = plan(search.filter(), null);
		return new Timing(search.words(), sorted[0], sorted[RUNS / 2], found,
				plan.get("Shared Hit Blocks").asLong() + plan.get("Shared Read Blocks").asLong(),
				String.join(" < ", scans(plan)));
	}

	/** How the statement of the list runs, and what it reads. */
	private static JsonNode plan(DeadLetterFilter filter, @Nullable Long after) {
		JdbcClient jdbc = JdbcClient.create(dataSource);
		LetterConditions conditions = LetterConditions.of(filter, null);
		String sql = new LetterQueries(jdbc, LetterBox.SCHEMA, JsonMapper.shared()).pageSql(conditions, after, PAGE);
		String plan = jdbc.sql("explain (analyze, buffers, format json) " + sql)
			.params(conditions.params())
			.query(String.class)
			.single();
		return JsonMapper.shared().readTree(plan).get(0).get("Plan");
	}

	private static List<String> scans(JsonNode plan) {
		return Stream.concat(Stream.of(plan), plan.findParents("Plan Rows").stream())
			.distinct()
			.filter((node) -> node.get("Node Type").asString().contains("Scan"))
			.map((node) -> node.get("Node Type").asString()
					+ (node.has("Index Name") ? " " + node.get("Index Name").asString() : ""))
			.toList();
	}

}
