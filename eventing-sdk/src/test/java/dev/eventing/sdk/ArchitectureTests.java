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
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
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
			Map.entry("annotation",
					Set.of("projector", "relay", "store", "event", "schema", "idempotency", "deadletter", "lease",
							"jdbc", "nats")),
			Map.entry("observability", Set.of("projector", "relay", "deadletter", "event", "nats", "worker")),
			Map.entry("cli", Set.of("deadletter", "lease", "schema", "event")),
			Map.entry("actuate", Set.of("operator", "deadletter", "event")),
			Map.entry("console", Set.of("operator", "deadletter", "event")),
			Map.entry("operator", Set.of("deadletter", "lease", "event")),
			Map.entry("projector",
					Set.of("store", "nats", "idempotency", "deadletter", "lease", "jdbc", "schema", "event", "worker")),
			Map.entry("deadletter", Set.of("schema", "event", "idempotency", "lease", "jdbc", "nats", "worker")),
			Map.entry("relay", Set.of("store", "nats", "idempotency", "lease", "jdbc", "schema", "event", "worker")),
			Map.entry("store", Set.of("schema", "event", "worker")),
			Map.entry("idempotency", Set.of("schema", "event")), Map.entry("lease", Set.of("jdbc", "schema", "worker")),
			Map.entry("jdbc", Set.of()), Map.entry("nats", Set.of("event")), Map.entry("event", Set.of()),
			Map.entry("schema", Set.of()), Map.entry("worker", Set.of()));

	private static final Set<String> WITH_JDBC = Set.of("idempotency", "deadletter", "projector", "schema", "store",
			"relay", "lease", "jdbc", "autoconfigure", "annotation", "cli");

	@Test
	void packagesHaveNoCycles() {
		check(slices().matching(ROOT + ".(*)..").should().beFreeOfCycles());
	}

	@TestFactory
	Stream<DynamicTest> packagesKnowOnlyWhatLiesBelow() {
		return ARROWS.entrySet().stream().map((arrow) -> {
			String[] known = Stream.concat(Stream.of(arrow.getKey()), arrow.getValue().stream())
				.map(ArchitectureTests::within)
				.toArray(String[]::new);
			DescribedPredicate<JavaClass> allowed = resideOutsideOfPackage(ROOT + "..").or(resideInAnyPackage(known))
				.or(type(EventingException.class));
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

	@Test
	void namesSayWhatAClassIsFor() {
		check(noClasses().should(haveNameMatching(".*(Impl|Manager|Helper|Utils?)")));
	}

	private static String within(String name) {
		return ROOT + "." + name + "..";
	}

	private static void check(ArchRule rule) {
		rule.allowEmptyShould(true).check(SDK);
	}

}
