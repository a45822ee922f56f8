package dev.eventing.sdk;

import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.relay.RelayProgress;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.conditions.ArchConditions.have;
import static com.tngtech.archunit.lang.conditions.ArchConditions.haveNameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

class ArchitectureTests {

	private static final String ROOT = "dev.eventing.sdk";

	private static final JavaClasses SDK = new ClassFileImporter()
		.withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
		.importPackages(ROOT);

	/** The whole house: each package, and what it may know of the others. */
	private static final Map<String, Set<String>> ARROWS = Map.ofEntries(
			Map.entry("config",
					Set.of("annotation", "projector", "projection", "erasure", "relay", "store", "event", "schema",
							"idempotency", "deadletter", "lease", "jdbc", "nats", "worker", "liveview")),
			Map.entry("annotation", Set.of("projector", "event")),
			Map.entry("liveview", Set.of("projector", "nats", "jdbc", "schema", "event", "worker")),
			Map.entry("observability",
					Set.of("projector", "projection", "relay", "deadletter", "event", "nats", "jdbc", "worker")),
			Map.entry("erasure",
					Set.of("projection", "deadletter", "relay", "store", "idempotency", "jdbc", "schema", "event")),
			Map.entry("projector",
					Set.of("projection", "relay", "store", "nats", "idempotency", "deadletter", "lease", "jdbc",
							"schema", "event", "worker")),
			Map.entry("projection", Set.of("store", "deadletter", "lease", "jdbc", "schema", "event", "worker")),
			Map.entry("deadletter", Set.of("schema", "event", "idempotency", "lease", "jdbc", "nats", "worker")),
			Map.entry("relay", Set.of("store", "nats", "idempotency", "lease", "jdbc", "schema", "event", "worker")),
			Map.entry("store", Set.of("schema", "event", "jdbc", "worker")),
			Map.entry("idempotency", Set.of("schema", "event")), Map.entry("lease", Set.of("jdbc", "schema", "worker")),
			Map.entry("jdbc", Set.of()), Map.entry("nats", Set.of("event", "worker")), Map.entry("event", Set.of()),
			Map.entry("schema", Set.of("jdbc")), Map.entry("worker", Set.of()));

	private static final Set<String> WITH_JDBC = Set.of("idempotency", "deadletter", "projector", "projection",
			"schema", "store", "relay", "lease", "jdbc", "autoconfigure", "config", "liveview", "erasure");

	/**
	 * The rooms inside a concept, and what each may know of the others beside its root
	 * package. The root package is the API; the rooms are internal.
	 */
	private static final Map<String, Set<String>> ROOMS = Map.ofEntries(Map.entry("projector.failure", Set.of()),
			Map.entry("projector.write", Set.of()), Map.entry("projector.delivery", Set.of("projector.failure")),
			Map.entry("projector.effect", Set.of("projector.delivery")),
			Map.entry("projector.transaction",
					Set.of("projector.failure", "projector.delivery", "projector.write", "projector.effect")),
			Map.entry("projector.suspect", Set.of("projector.failure", "projector.delivery", "projector.transaction")),
			Map.entry("projector.attempt",
					Set.of("projector.failure", "projector.delivery", "projector.transaction", "projector.suspect")),
			Map.entry("projector.lane",
					Set.of("projector.failure", "projector.delivery", "projector.transaction", "projector.suspect",
							"projector.attempt")),
			Map.entry("projector.redrive",
					Set.of("projector.failure", "projector.delivery", "projector.transaction", "projector.suspect",
							"projector.attempt")),
			Map.entry("projector.control", Set.of()),
			Map.entry("projector.feed",
					Set.of("projector.failure", "projector.delivery", "projector.transaction", "projector.control")),
			Map.entry("projector.feed.jetstream",
					Set.of("projector.failure", "projector.delivery", "projector.transaction", "projector.control",
							"projector.feed", "projector.feed.store")),
			Map.entry("projector.feed.store",
					Set.of("projector.failure", "projector.delivery", "projector.transaction", "projector.control",
							"projector.feed")),
			Map.entry("projector.inline",
					Set.of("projector.effect", "projector.failure", "projector.write", "projector.delivery",
							"projector.transaction", "projector.control", "projector.feed", "projector.feed.store",
							"projector.rebuild")),
			Map.entry("projector.backfill",
					Set.of("projector.failure", "projector.delivery", "projector.transaction", "projector.feed",
							"projector.feed.store")),
			Map.entry("projector.source",
					Set.of("projector.failure", "projector.delivery", "projector.transaction", "projector.control",
							"projector.feed", "projector.feed.jetstream", "projector.feed.store", "projector.inline",
							"projector.backfill")),
			Map.entry("projector.progress", Set.of("projector.source")),
			Map.entry("projector.pruning", Set.of("projector.source")),
			Map.entry("projector.rebuild",
					Set.of("projector.effect", "projector.failure", "projector.delivery", "projector.transaction",
							"projector.feed", "projector.feed.store")),
			Map.entry("projector.scope",
					Set.of("projector.effect", "projector.failure", "projector.write", "projector.delivery",
							"projector.transaction", "projector.feed", "projector.feed.store")),
			Map.entry("projector.container",
					Set.of("projector.rebuild", "projector.scope", "projector.effect", "projector.failure",
							"projector.write", "projector.delivery", "projector.transaction", "projector.suspect",
							"projector.attempt", "projector.lane", "projector.redrive", "projector.feed",
							"projector.feed.store", "projector.source", "projector.inline", "projector.backfill",
							"projector.progress", "projector.control")),
			Map.entry("projection.ledger", Set.of("projection.tables")), Map.entry("projection.tables", Set.of()),
			Map.entry("projection.reconcile", Set.of("projection.ledger")), Map.entry("deadletter.ledger", Set.of()),
			Map.entry("deadletter.forward", Set.of("deadletter.ledger")), Map.entry("liveview.ledger", Set.of()),
			Map.entry("liveview.frame", Set.of()), Map.entry("liveview.web", Set.of()),
			Map.entry("liveview.fold", Set.of("liveview.ledger", "liveview.frame")),
			Map.entry("liveview.client", Set.of("liveview.ledger", "liveview.frame")),
			Map.entry("liveview.run", Set.of("liveview.ledger", "liveview.frame", "liveview.fold", "liveview.client")));

	/**
	 * Who else may open a room: the wiring, and projectors the ledgers and the tables.
	 * The look at what operators decided also looks for letters to redrive, with the
	 * condition of their ledger. An erasure has a step of each ledger. The command line
	 * is in another module, whose test has its keys.
	 */
	private static final Map<String, Set<String>> KEYS = Map.of("config", ROOMS.keySet(), "projector",
			Set.of("deadletter.ledger", "projection.ledger", "projection.tables"), "projection",
			Set.of("deadletter.ledger"), "erasure", Set.of("deadletter.ledger", "projection.ledger"));

	@Test
	void packagesHaveNoCycles() {
		check(slices().matching(ROOT + ".(**)").should().beFreeOfCycles());
	}

	@TestFactory
	Stream<DynamicTest> roomsKnowOnlyWhatLiesBelow() {
		return ROOMS.entrySet().stream().map((room) -> {
			String[] others = ROOMS.keySet()
				.stream()
				.filter((name) -> concept(name).equals(concept(room.getKey())))
				.filter((name) -> !name.equals(room.getKey()) && !room.getValue().contains(name))
				.map(ArchitectureTests::exactly)
				.toArray(String[]::new);
			return DynamicTest.dynamicTest(room.getKey(),
					() -> check(noClasses().that()
						.resideInAPackage(exactly(room.getKey()))
						.should()
						.dependOnClassesThat()
						.resideInAnyPackage(others)
						.as("'%s' may know %s only".formatted(room.getKey(), room.getValue()))));
		});
	}

	@TestFactory
	Stream<DynamicTest> roomsAreInternal() {
		return ROOMS.keySet().stream().map((room) -> {
			String[] visitors = Stream
				.concat(Stream.of(concept(room)),
						KEYS.entrySet().stream().filter((key) -> key.getValue().contains(room)).map(Map.Entry::getKey))
				.map(ArchitectureTests::within)
				.toArray(String[]::new);
			return DynamicTest.dynamicTest(room,
					() -> check(noClasses().that()
						.resideOutsideOfPackages(visitors)
						.should()
						.dependOnClassesThat()
						.resideInAPackage(exactly(room))));
		});
	}

	/** The root package of a concept is its API, which rooms are behind. */
	@Test
	void anApiKnowsNoRoomOfItsOwn() {
		for (String room : ROOMS.keySet()) {
			check(noClasses().that()
				.resideInAPackage(exactly(concept(room)))
				.should()
				.dependOnClassesThat()
				.resideInAPackage(exactly(room)));
		}
	}

	@Test
	void everyRoomHasItsArrows() {
		String[] known = Stream.concat(ROOMS.keySet().stream(), ROOMS.keySet().stream().map(ArchitectureTests::concept))
			.map(ArchitectureTests::exactly)
			.toArray(String[]::new);
		for (String concept : Set.of("projector", "projection", "deadletter", "liveview")) {
			check(classes().that()
				.resideInAPackage(within(concept))
				.should()
				.resideInAnyPackage(known)
				.as("every room stands in the map of rooms"));
		}
	}

	@TestFactory
	Stream<DynamicTest> packagesKnowOnlyWhatLiesBelow() {
		return ARROWS.entrySet().stream().map((arrow) -> {
			String[] known = Stream.concat(Stream.of(arrow.getKey()), arrow.getValue().stream())
				.map(ArchitectureTests::within)
				.toArray(String[]::new);
			DescribedPredicate<JavaClass> allowed = resideOutsideOfPackage(ROOT + "..").or(resideInAnyPackage(known))
				.or(resideInAPackage(ROOT));
			return DynamicTest.dynamicTest(arrow.getKey(),
					() -> check(classes().that()
						.resideInAPackage(within(arrow.getKey()))
						.should()
						.onlyDependOnClassesThat(allowed)
						.as("'%s' may know %s only".formatted(arrow.getKey(), arrow.getValue()))));
		});
	}

	@Test
	void theRootKnowsNoPackage() {
		check(noClasses().that()
			.resideInAPackage(ROOT)
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage(ARROWS.keySet().stream().map(ArchitectureTests::within).toArray(String[]::new)));
	}

	@Test
	void everyPackageHasItsArrows() {
		String[] known = Stream.concat(ARROWS.keySet().stream(), Stream.of("autoconfigure"))
			.map(ArchitectureTests::within)
			.toArray(String[]::new);
		check(classes().that()
			.resideOutsideOfPackage(ROOT)
			.should()
			.resideInAnyPackage(known)
			.as("every package stands in the map of arrows"));
	}

	@Test
	void nobodyKnowsTheAutoConfiguration() {
		check(noClasses().that()
			.resideOutsideOfPackage(within("autoconfigure"))
			.should()
			.dependOnClassesThat()
			.resideInAPackage(within("autoconfigure")));
	}

	@Test
	void onlyNatsKnowsTheClient() {
		check(noClasses().that()
			.resideOutsideOfPackage(within("nats"))
			.should()
			.dependOnClassesThat()
			.resideInAPackage("io.nats.."));
	}

	@Test
	void jdbcLivesWhereTheTablesLive() {
		check(noClasses().that()
			.resideOutsideOfPackages(WITH_JDBC.stream().map(ArchitectureTests::within).toArray(String[]::new))
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("java.sql..", "javax.sql..", "org.springframework.jdbc.."));
	}

	/**
	 * Projectors read streams of any publisher. They only ask how far the relays of their
	 * database are.
	 */
	@Test
	void projectorsKnowOfRelaysHowFarTheyAre() {
		check(noClasses().that()
			.resideInAPackage(within("projector"))
			.should()
			.dependOnClassesThat(resideInAPackage(within("relay")).and(not(belongToAnyOf(RelayProgress.class)))));
	}

	/**
	 * A reader of a constructor knows what each argument is. The settings of a projector
	 * have no such reader: nothing but their builder and binders makes them, by name.
	 */
	@Test
	void recordsOfTheApiAreNarrow() {
		String[] internal = ROOMS.keySet().stream().map(ArchitectureTests::exactly).toArray(String[]::new);
		check(classes().that()
			.areRecords()
			.and()
			.arePublic()
			.and()
			.resideOutsideOfPackages(internal)
			.and(not(type(ProjectorSettings.class)))
			.should(have(DescribedPredicate.<JavaClass>describe("at most 8 components",
					(each) -> each.reflect().getRecordComponents().length <= 8))));
	}

	@Test
	void namesSayWhatAClassIsFor() {
		check(noClasses().should(haveNameMatching(".*(Impl|Manager|Helper|Utils?)")));
	}

	private static String concept(String room) {
		return room.substring(0, room.indexOf('.'));
	}

	private static String exactly(String name) {
		return ROOT + "." + name;
	}

	private static String within(String name) {
		return ROOT + "." + name + "..";
	}

	private static void check(ArchRule rule) {
		rule.allowEmptyShould(true).check(SDK);
	}

}
