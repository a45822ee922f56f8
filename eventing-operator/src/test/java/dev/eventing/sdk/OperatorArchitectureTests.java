package dev.eventing.sdk;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import dev.eventing.sdk.operator.ChangeBody;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.conditions.ArchConditions.have;
import static com.tngtech.archunit.lang.conditions.ArchConditions.haveNameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The arrows of the operators' module, and those into the SDK. The tests of the SDK have
 * some of these rules, too. They do not share code: a jar with tests of the SDK would be
 * published with the SDK, and the test kit depends on both modules.
 */
class OperatorArchitectureTests {

	private static final String ROOT = "dev.eventing.sdk";

	private static final JavaClasses ALL = new ClassFileImporter()
		.withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
		.importPackages(ROOT);

	private static final Map<String, Set<String>> ARROWS = Map.of("cli",
			Set.of("operator", "erasure", "projection", "deadletter", "lease", "schema", "event"), "console",
			Set.of("operator", "deadletter", "event"), "operator",
			Set.of("erasure", "projection", "deadletter", "lease", "event"));

	/** The rooms of the SDK that the command line opens. */
	private static final Set<String> KEYS_OF_THE_COMMAND_LINE = Set.of("deadletter.ledger", "projection.ledger",
			"projection.reconcile", "projection.tables");

	private static final String[] ROOMS = { ROOT + ".projector.*..", ROOT + ".projection.*..", ROOT + ".deadletter.*..",
			ROOT + ".liveview.*.." };

	@Test
	void packagesHaveNoCycles() {
		check(slices().matching(ROOT + ".(**)").should().beFreeOfCycles());
	}

	@TestFactory
	Stream<DynamicTest> packagesKnowOnlyWhatLiesBelow() {
		return ARROWS.entrySet().stream().map((arrow) -> {
			String[] known = Stream.concat(Stream.of(arrow.getKey()), arrow.getValue().stream())
				.map(OperatorArchitectureTests::within)
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

	/** Each package of the module is in the map, but the wiring. */
	@Test
	void everyPackageHasItsArrows() {
		assertThat(Path.of("src/main/java/dev/eventing/sdk").toFile().list()).containsExactlyInAnyOrderElementsOf(
				Stream.concat(ARROWS.keySet().stream(), Stream.of("autoconfigure")).toList());
	}

	@Test
	void roomsOfTheSdkAreInternal() {
		check(noClasses().that()
			.resideInAnyPackage(within("operator"), within("console"), within("autoconfigure.operator"))
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage(ROOMS));
	}

	@Test
	void theCommandLineOpensTheRoomsOfTheMap() {
		DescribedPredicate<JavaClass> open = resideInAnyPackage(
				KEYS_OF_THE_COMMAND_LINE.stream().map((room) -> ROOT + "." + room).toArray(String[]::new));
		check(noClasses().that()
			.resideInAPackage(within("cli"))
			.should()
			.dependOnClassesThat(resideInAnyPackage(ROOMS).and(DescribedPredicate.not(open))));
	}

	@Test
	void theSdkKnowsNoToolOfOperators() {
		String[] tools = Stream.of("cli", "console", "operator", "autoconfigure.operator")
			.map(OperatorArchitectureTests::within)
			.toArray(String[]::new);
		check(noClasses().that()
			.resideOutsideOfPackages(tools)
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage(tools));
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
	void theCommandLineAloneKnowsJdbcAndNobodyNats() {
		check(noClasses().that()
			.resideInAnyPackage(within("operator"), within("console"))
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("java.sql..", "javax.sql..", "org.springframework.jdbc.."));
		check(noClasses().that()
			.resideInAnyPackage(within("operator"), within("console"), within("cli"))
			.should()
			.dependOnClassesThat()
			.resideInAPackage("io.nats.."));
	}

	/**
	 * The views of {@code operator} are JSON, whose readers see the names. Bodies of
	 * requests are narrow, too, with their parts nested.
	 */
	@Test
	void recordsOfTheApiAreNarrow() {
		check(classes().that()
			.areRecords()
			.and()
			.arePublic()
			.and()
			.resideInAnyPackage(within("console"), within("cli"), within("autoconfigure.operator"))
			.or(areBodies())
			.should(have(DescribedPredicate.<JavaClass>describe("at most 8 components",
					(each) -> each.reflect().getRecordComponents().length <= 8))));
	}

	private static DescribedPredicate<JavaClass> areBodies() {
		return DescribedPredicate.describe("are bodies of requests, or parts of them",
				(each) -> each.isRecord() && (each.isAssignableTo(ChangeBody.class) || each.getEnclosingClass()
					.filter((outer) -> outer.isAssignableTo(ChangeBody.class))
					.isPresent()));
	}

	@Test
	void namesSayWhatAClassIsFor() {
		check(noClasses().should(haveNameMatching(".*(Impl|Manager|Helper|Utils?)")));
	}

	private static String within(String name) {
		return ROOT + "." + name + "..";
	}

	private static void check(ArchRule rule) {
		rule.allowEmptyShould(true).check(ALL);
	}

}
