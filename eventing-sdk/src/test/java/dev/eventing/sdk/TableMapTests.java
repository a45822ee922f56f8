package dev.eventing.sdk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The arrows that {@link ArchitectureTests} cannot see, because SQL draws them: which
 * package reads or writes which table. A change of a table finds here the other packages
 * that must change.
 */
class TableMapTests {

	private static final Path SCRIPTS = Path.of("../migrations/src/main/resources");

	/** The package that writes the table, and whose classes say what it means. */
	private static final Map<String, Set<String>> HOMES = Map.ofEntries(Map.entry("schema", Set.of("schema_identity")),
			Map.entry("idempotency", Set.of("processed_events", "projector_prunings")),
			Map.entry("lease", Set.of("leases", "lease_epochs")),
			Map.entry("store", Set.of("events", "streams", "snapshots")), Map.entry("erasure", Set.of("erasures")),
			Map.entry("relay",
					Set.of("relays", "relay_positions", "relay_streams", "relay_refusals", "relay_late_events")),
			Map.entry("deadletter.ledger", Set.of("dead_letters", "dead_letter_audit", "dead_letter_redrives")),
			Map.entry("projection.ledger",
					Set.of("projections", "projection_audit", "projection_requests", "projection_lanes",
							"projection_inline", "projection_skips", "projection_effects", "projection_checks",
							"projection_check_requests", "projection_backfills", "projection_backfill_events",
							"projection_ownership", "projector_controls", "projector_nodes", "projector_overview")),
			Map.entry("projector.transaction", Set.of("projector_attempts", "projection_claims")),
			Map.entry("projector.feed", Set.of("projector_coverage")),
			Map.entry("projector.feed.store",
					Set.of("projector_checkpoints", "projector_beginnings", "projector_handouts")),
			Map.entry("projector.feed.jetstream", Set.of("projector_positions")),
			Map.entry("liveview.ledger", Set.of("projection_snapshots")));

	/**
	 * The tables of others that the statements of a package use as well, because one
	 * statement has to see both sides at one moment.
	 */
	private static final Map<String, Set<String>> VISITS = Map.ofEntries(
			// the right to make a trigger; which tables an application need not change;
			// the
			// lock of erasures
			Map.entry("schema", Set.of("events", "erasures")),
			// the streams of letters; whether the contents of an event were erased
			Map.entry("deadletter.ledger", Set.of("events")),
			// the first position that no event holds; whether contents were erased, and
			// whether a relay that may have read them before still runs; whether a
			// category has events
			Map.entry("relay", Set.of("events", "streams", "erasures", "leases")),
			// a switch locks the epoch; whether a generation has a position; a position
			// by a time; whether the live one has applied an event that has effects; an
			// erasure ends tenures, makes claims, removes attempts, and names live views,
			// from the command line, too, which has no projectors
			Map.entry("projection.ledger",
					Set.of("leases", "lease_epochs", "events", "projector_checkpoints", "projector_positions",
							"projector_handouts", "projector_attempts", "projection_claims", "dead_letters",
							"processed_events", "projection_snapshots")),
			// one snapshot of all that says how far a read model is
			Map.entry("projection.reconcile",
					Set.of("projections", "projection_lanes", "projection_claims", "projector_checkpoints",
							"projector_positions", "projector_coverage", "projector_prunings", "processed_events",
							"projection_inline", "relay_streams", "events")),
			// the claims of generations, with what letters and the live one hold
			Map.entry("projector.transaction", Set.of("processed_events", "projections")),
			// whether an event is settled, and the lag, each in one round trip
			Map.entry("projector.source", Set.of("events", "processed_events", "projector_checkpoints")),
			// whether a build disturbs the live one, at each pause
			Map.entry("projector.feed.store", Set.of("events", "projector_nodes")),
			// which generation readers see, which views a node owns, and a new live epoch
			// where states may be set back
			Map.entry("liveview.ledger", Set.of("projections", "leases")),
			// a bounded count for a line of the log
			Map.entry("projector.rebuild", Set.of("events", "projector_coverage")));

	private static final Pattern TABLE = Pattern.compile("\\btable\\(\"(\\w+)\"");

	private static final Pattern CREATED = Pattern
		.compile("(?m)^create (?:table|(?:or replace )?view) (?:\\$\\{\\w+}\\.|\\w+\\.)?(\\w+)");

	@Test
	void everyTableHasOneHome() {
		assertThat(HOMES.values().stream().flatMap(Set::stream)).doesNotHaveDuplicates();
		assertThat(created())
			.isEqualTo(HOMES.values().stream().flatMap(Set::stream).collect(Collectors.toCollection(TreeSet::new)));
	}

	@Test
	void statementsUseTheTablesOfTheirPackageAndTheVisitsOfTheMap() {
		Map<String, Set<String>> map = new TreeMap<>();
		HOMES.forEach((room, tables) -> map.computeIfAbsent(room, (key) -> new TreeSet<>()).addAll(tables));
		VISITS.forEach((room, tables) -> map.computeIfAbsent(room, (key) -> new TreeSet<>()).addAll(tables));
		assertThat(used()).as("the tables of each package. A new visit stands in the map with its reason")
			.isEqualTo(map);
	}

	/** By package, the tables that its sources name. */
	private static Map<String, Set<String>> used() {
		Map<String, Set<String>> used = new TreeMap<>();
		for (Path root : Source.ROOTS) {
			for (Path source : files(root, ".java")) {
				Matcher table = TABLE.matcher(text(source));
				while (table.find()) {
					String room = root.relativize(source.getParent()).toString().replace('/', '.').replace('\\', '.');
					used.computeIfAbsent(room, (key) -> new TreeSet<>()).add(table.group(1));
				}
			}
		}
		return used;
	}

	private static Set<String> created() {
		Set<String> created = new TreeSet<>();
		for (Path script : files(SCRIPTS, ".sql")) {
			Matcher table = CREATED.matcher(text(script));
			while (table.find()) {
				created.add(table.group(1));
			}
		}
		return created;
	}

	private static Iterable<Path> files(Path root, String end) {
		try (Stream<Path> all = Files.walk(root)) {
			return all.filter((path) -> path.toString().endsWith(end)).sorted().toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String text(Path path) {
		try {
			return Files.readString(path);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
