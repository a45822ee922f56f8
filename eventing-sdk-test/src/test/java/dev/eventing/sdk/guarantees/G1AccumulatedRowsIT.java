package dev.eventing.sdk.guarantees;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.projector.InvalidAdditionException;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ReadModelWriter;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/** Rows that many events add to: exact, whatever happens, and without deadlocks. */
class G1AccumulatedRowsIT {

	private static final int HOT_ROWS = 12;

	private static final String TABLES = """
			create table daily (day date, item text, sold bigint not null default 0, revenue numeric(20, 4),
			                    primary key (item, day));
			create table item_total (item text primary key, sold int not null, weight double precision);
			create schema other;
			create table other.total (id uuid unique, version bigint, amount numeric, "order" bigint default 0)""";

	private static final LocalDate DAY = LocalDate.of(2026, 2, 1);

	@AutoClose
	private final World world = World.create();

	@BeforeEach
	void createTables() {
		this.world.jdbc().execute(TABLES);
	}

	@Test
	void addsUpExactlyWithoutDeadlocksOnFourLanesThroughDuplicatesFailuresAndLostConnections() {
		long seed = System.nanoTime();
		System.out.println("hot rows: seed=" + seed);
		List<Event<Deposited>> events = new ArrayList<>();
		for (int account = 0; account < 120; account++) {
			events.add(this.world.deposit(World.ACME, "a" + account, 1));
			events.add(this.world.deposit(World.ACME, "a" + account, 2));
			events.add(this.world.deposit(World.ACME, "a" + account, 3));
			events.add(this.world.deposit(World.ACME, "a" + account, 4));
			events.add(this.world.deposit(World.ACME, "a" + account, 5));
		}
		events.forEach(this.world::publish);
		Disturbed disturbed = new Disturbed(seed);
		ProjectorSettings fourLanes = ProjectorSettings.builder()
			.maxDeliver(100)
			.batchSize(25)
			.concurrency(4)
			.retryMultiplier(1.0)
			.build();
		try (AnnotationConfigApplicationContext application = start(disturbed.handler, fourLanes)) {
			// the same again, under other sequences, once the stream takes none for a
			// duplicate
			await().until(() -> !this.world.publish(events.get(events.size() - 1)).duplicate());
			events.subList(0, events.size() - 1).forEach(this.world::publish);
			await().failFast("lanes deadlocked", () -> deadlocks() > 0)
				.until(() -> World.status(application, Deferring.PROJECTOR).counts().processed() == events.size()
						&& World.status(application, Deferring.PROJECTOR).counts().duplicates() >= events.size());
			System.out.println("hot rows: " + World.status(application, Deferring.PROJECTOR).counts()
					+ ", batches broken: " + disturbed.disturbed.size());
			assertThat(disturbed.disturbed).hasSizeGreaterThan(10);
		}
		Map<String, Long> expected = new TreeMap<>();
		events.forEach((event) -> additions(event.payload(), seed)
			.forEach((item) -> expected.merge(item, event.payload().amount(), Long::sum)));
		assertThat(sums("select item, sum(sold) from daily group by item")).isEqualTo(expected);
		assertThat(sums("select item, sold from item_total")).isEqualTo(expected);
		assertThat(this.world.count("select count(*) from daily where revenue <> sold * 0.0001")).isZero();
		assertThatThereWasNoDeadlock();
	}

	/** The items an event adds to, in its own order. */
	private static List<String> additions(Deposited event, long seed) {
		List<String> items = new ArrayList<>();
		for (int item = 0; item < HOT_ROWS; item++) {
			items.add("item-" + item);
		}
		Collections.shuffle(items, new Random(seed + event.hashCode()));
		return items.subList(0, 5);
	}

	/** Fails, or loses its connection, at one event in fifty, the first time. */
	private static final class Disturbed {

		private final Set<Deposited> disturbed = ConcurrentHashMap.newKeySet();

		private final Deferring handler;

		Disturbed(long seed) {
			this.handler = new Deferring((event, tenantId, writer) -> {
				for (String item : additions(event, seed)) {
					add(event, item, writer);
				}
				disturb(event);
			});
		}

		private static void add(Deposited event, String item, ReadModelWriter writer) {
			writer.add("item_total", Map.of("item", item), Map.of("sold", event.amount()));
			LocalDate day = DAY.plusDays(event.version() % 2);
			if (event.amount() % 2 == 0) {
				writer.add("daily", Map.of("day", day, "item", item), Map.of("sold", event.amount()));
				writer.add("daily", Map.of("item", item, "day", day),
						Map.of("revenue", new BigDecimal(event.amount()).movePointLeft(4)));
			}
			else {
				writer.add("public.daily", Map.of("Day", day, "Item", item),
						Map.of("revenue", event.amount() * 0.0001, "sold", (int) event.amount()));
			}
		}

		private void disturb(Deposited event) {
			int what = Math.floorMod(event.hashCode(), 50);
			if (what < 2 && this.disturbed.add(event)) {
				if (what == 0) {
					throw new Accounts.Refused();
				}
				World.endConnection(this.handler.jdbc);
			}
		}

	}

	@Test
	void writesEachRowOnceForAWholeBatch() {
		this.world.jdbc().execute("""
				create table touched (item text);
				create function touch() returns trigger language plpgsql as
				$$ begin insert into touched values (new.item); return null; end $$;
				create trigger touch after insert or update on item_total for each row execute function touch()""");
		for (int account = 0; account < 200; account++) {
			this.world.publish(World.ACME, "a" + account, 1, 1);
		}
		Deferring handler = new Deferring((event, tenantId, writer) -> {
			writer.add("item_total", Map.of("item", "hot"), Map.of("sold", 1));
			writer.add("item_total", Map.of("item", "hot"), Map.of("sold", 2));
		});
		try (AnnotationConfigApplicationContext application = start(handler, ProjectorSettings.NONE)) {
			await().until(() -> this.world.count("select sold from item_total union all select 0 limit 1") == 600);
			await().untilAsserted(() -> assertThat(this.world.count("select count(*) from touched"))
				.isEqualTo(World.status(application, Deferring.PROJECTOR).counts().transactions())
				.isLessThan(100));
		}
	}

	@Test
	void mergesWhatIsOneKeyForPostgreSqlAndTakesValuesOfManyTypes() {
		this.world.jdbc().execute("""
				create type colour as enum ('RED', 'GREEN');
				create table typed (at timestamptz, n numeric, c colour, flag boolean, code varchar(5), local timestamp,
				                    ratio real, money numeric(10, 2), big bigint,
				                    unique (code, at, n, c, flag, local))""");
		Map<String, Object> one = Map.of("at", java.time.Instant.parse("2026-02-01T10:00:00Z"), "n",
				new BigDecimal("1.0"), "c", Colour.RED, "flag", true, "code", "abcde", "local", DAY.atStartOfDay());
		Map<String, Object> same = new HashMap<>(one);
		same.put("at", java.time.ZonedDateTime.parse("2026-02-01T12:00:00+02:00[Europe/Helsinki]"));
		same.put("n", 1);
		same.put("c", "RED");
		same.put("flag", "t");
		oneEvent((writer) -> {
			writer.add("typed", one, Map.of("ratio", 0.5f, "money", 0.1, "big", Long.MAX_VALUE - 1));
			writer.add("typed", same, Map.of("ratio", 0.25, "money", new BigDecimal("0.200"), "big", 1));
			writer.add("typed", same, Map.of("money", 0.005));
			writer.add("typed", same, Map.of("money", new BigDecimal("0.005")));
		});
		assertThat(this.world.jdbc().queryForList("select ratio::text, money::text, big::text from typed"))
			.containsExactly(Map.of("ratio", "0.75", "money", "0.32", "big", Long.toString(Long.MAX_VALUE)));
	}

	@Test
	void roundsAsTheDomainOfAColumnSays() {
		this.world.jdbc().execute("""
				create domain amount as numeric(12, 2) not null default 0;
				create domain price as amount;
				create domain pieces as int;
				create table priced (item text primary key, net price, gross amount, sold pieces)""");
		oneEvent((writer) -> {
			writer.add("priced", Map.of("item", "a"), Map.of("net", new BigDecimal("0.005"), "sold", 0.5));
			writer.add("priced", Map.of("item", "a"), Map.of("net", new BigDecimal("0.005"), "sold", 0.5));
			writer.add("priced", Map.of("item", "b"), Map.of("gross", 1));
		});
		assertThat(this.world.jdbc()
			.queryForList("select concat_ws(',', item, net, gross, sold) from priced order by item", String.class))
			.containsExactly("a,0.02,0.00,2", "b,0.00,1.00");
	}

	@Test
	void refusesAKeyThatIsTooLongForItsDomain() {
		this.world.jdbc().execute("""
				create domain short_code as varchar(5);
				create table coded (code short_code primary key, sold int)""");
		this.world.publish(World.ACME, "abcde", 1, 1);
		this.world.publish(World.ACME, "abcdefg", 1, 1);
		Deferring handler = new Deferring(
				(event, tenantId, writer) -> writer.add("coded", Map.of("code", event.account()), Map.of("sold", 1)));
		try (AnnotationConfigApplicationContext application = start(handler, ProjectorSettings.NONE)) {
			await().until(() -> this.world.deadLetters(Deferring.PROJECTOR).size() == 1
					&& World.status(application, Deferring.PROJECTOR).counts().processed() == 1);
			assertThat(this.world.deadLetters(Deferring.PROJECTOR)).extracting(DeadLetter::orderingKey)
				.containsExactly("abcdefg");
			assertThat(this.world.count("select sold from coded")).isEqualTo(1);
		}
	}

	private enum Colour {

		RED

	}

	@Test
	void addsToRowsThatExistAndCountsNullAsZero() {
		UUID id = UUID.randomUUID();
		this.world.jdbc().update("insert into other.total values (?, null, 7.25, 3)", id);
		oneEvent((writer) -> {
			writer.add("other.total", Map.of("id", id), Map.of("version", 5));
			writer.add("other.total", Map.of("id", id), Map.of("amount", new BigDecimal("-0.25"), "order", -3));
			writer.add("Other.Total", Map.of("ID", UUID.nameUUIDFromBytes(new byte[0])), Map.of("amount", 1));
		});
		assertThat(this.world.jdbc()
			.queryForList("select concat_ws(',', version, amount, \"order\") from other.total order by 1 desc",
					String.class))
			.as("what nobody added to stays as it was, or is as its default")
			.containsExactly("5,7.00,0", "1,0");
		assertThat(this.world.count("select count(*) from other.total where version is null")).isEqualTo(1);
	}

	@Test
	void makesADeadLetterOfOnlyTheEventWhoseAdditionFails() {
		this.world.jdbc().execute("alter table item_total add check (item <> 'a3')");
		for (int account = 0; account < 50; account++) {
			this.world.publish(World.ACME, "a" + account, 1, 1);
		}
		Deferring handler = new Deferring((event, tenantId, writer) -> {
			writer.add("item_total", Map.of("item", event.account()), Map.of("sold", 1));
			writer.add("item_total", Map.of("item", "all"), Map.of("sold", 1));
		});
		try (AnnotationConfigApplicationContext application = start(handler, ProjectorSettings.NONE)) {
			await().until(() -> this.world.deadLetters(Deferring.PROJECTOR).size() == 1
					&& World.status(application, Deferring.PROJECTOR).counts().processed() == 49);
			assertThat(this.world.deadLetters(Deferring.PROJECTOR)).extracting(DeadLetter::orderingKey)
				.containsExactly("a3");
			assertThat(this.world.count("select sold from item_total where item = 'all'")).isEqualTo(49);
			assertThat(this.world.count("select count(*) from item_total")).isEqualTo(50);
		}
	}

	@Test
	void saysWhatIsWrongWithAnAddition() {
		oneEvent((writer) -> {
			refused(writer, "nowhere", "item", 1, "sold", 1).hasMessageContaining("There is no table \"nowhere\"")
				.hasMessageContaining("Consider adding its schema");
			refused(writer, "total", "id", 1, "amount", 1).hasMessageContaining("There is no table \"total\"");
			refused(writer, "daily", "item", "a", "sold", 1)
				.hasMessageContaining("Table public.daily has no primary key or unique constraint on exactly [item]")
				.hasMessageContaining("creating a constraint");
			refused(writer, "item_total", "thing", "a", "sold", 1)
				.hasMessageContaining("Table public.item_total has no column 'thing', only [item, sold, weight]");
			refused(writer, "item_total", "item", "a", "bought", 1).hasMessageContaining("no column 'bought'");
			refused(writer, "item_total", "item", "a", "item", 1)
				.hasMessageContaining("has type text, which is not numeric");
			for (String name : List.of("", "a b", "x; drop table daily", "\"a\"", "1a", "a.b.c", "a''")) {
				assertThatIllegalArgumentException()
					.isThrownBy(() -> writer.add(name, Map.of("item", "a"), Map.of("sold", 1)))
					.withMessageContaining("'" + name + "' is not a valid name of a table");
				assertThatIllegalArgumentException()
					.isThrownBy(() -> writer.add("item_total", Map.of("item", "a"), Map.of(name, 1)))
					.withMessageContaining("'" + name + "' is not a valid name of a column");
			}
			assertThatIllegalArgumentException()
				.isThrownBy(() -> writer.add("item_total", Map.of(), Map.of("sold", 1)));
			assertThatIllegalArgumentException()
				.isThrownBy(() -> writer.add("item_total", Map.of("item", "a"), Map.of()));
			assertThatIllegalArgumentException()
				.isThrownBy(() -> writer.add("item_total", Map.of("item", "a"), Map.of("weight", Double.NaN)));
			assertThatIllegalArgumentException()
				.isThrownBy(() -> writer.add("item_total", Collections.singletonMap("item", null), Map.of("sold", 1)));
			assertThatIllegalArgumentException()
				.isThrownBy(() -> writer.add("item_total", Map.of("item", new Object()), Map.of("sold", 1)));
			writer.add("item_total", Map.of("item", "good"), Map.of("sold", 1, "weight", 2.5));
		});
		assertThat(this.world.count("select count(*) from item_total where sold = 1 and weight = 2.5")).isEqualTo(1);
	}

	@Test
	void takesAColumnThatWasAddedWhileItRuns() {
		Deferring handler = new Deferring((event, tenantId, writer) -> writer.add("item_total", Map.of("item", "a"),
				(event.version() == 1) ? Map.of("sold", 1) : Map.of("sold", 1, "returned", 1)));
		try (AnnotationConfigApplicationContext application = start(handler, ProjectorSettings.NONE)) {
			this.world.publish(World.ACME, "a", 1, 1);
			await().until(() -> World.status(application, Deferring.PROJECTOR).counts().processed() == 1);
			this.world.jdbc().execute("alter table item_total add returned int");
			this.world.publish(World.ACME, "a", 2, 2);
			await().until(() -> World.status(application, Deferring.PROJECTOR).counts().processed() == 2);
			assertThat(this.world.count("select returned + sold from item_total")).isEqualTo(3);
		}
	}

	private static org.assertj.core.api.AbstractThrowableAssert<?, ? extends Throwable> refused(ReadModelWriter writer,
			String table, String keyColumn, Object key, String column, Number delta) {
		return assertThatThrownBy(() -> writer.add(table, Map.of(keyColumn, key), Map.of(column, delta)))
			.isInstanceOf(InvalidAdditionException.class);
	}

	/** Lets a handler write for one event. */
	private void oneEvent(java.util.function.Consumer<ReadModelWriter> writing) {
		List<Throwable> failures = new CopyOnWriteArrayList<>();
		Deferring handler = new Deferring((event, tenantId, writer) -> {
			try {
				writing.accept(writer);
			}
			catch (Throwable ex) {
				failures.add(ex);
				throw ex;
			}
		});
		this.world.publish(World.ACME, "a", 1, 1);
		try (AnnotationConfigApplicationContext application = start(handler, ProjectorSettings.NONE)) {
			await().until(() -> World.status(application, Deferring.PROJECTOR).counts().processed() == 1
					|| !failures.isEmpty());
			assertThat(failures).isEmpty();
		}
	}

	private Map<String, Long> sums(String sql) {
		Map<String, Long> sums = new TreeMap<>();
		this.world.jdbc().query(sql, (row) -> {
			sums.put(row.getString(1), row.getLong(2));
		});
		return sums;
	}

	/** The server counts a session's deadlocks at the latest when it ends. */
	private void assertThatThereWasNoDeadlock() {
		await().until(() -> this.world.count("""
				select count(*) from pg_stat_activity
				 where datname = current_database() and application_name <> '' and state = 'active'""") <= 1);
		assertThat(deadlocks()).isZero();
	}

	private long deadlocks() {
		return this.world.count("select deadlocks from pg_stat_database where datname = current_database()");
	}

	private AnnotationConfigApplicationContext start(Object handler, ProjectorSettings settings) {
		return this.world.start(WorldApplication.of(handler).with(settings).lease(Duration.ofSeconds(1)));
	}

}
