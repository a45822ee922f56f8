package dev.eventing.sdk.autoconfigure.operator;

import java.util.Set;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.eventing.sdk.console.ConsoleHints;
import dev.eventing.sdk.operator.OperatorHints;
import dev.eventing.sdk.operator.OperatorRules;
import dev.eventing.sdk.operator.ProjectorChange;
import dev.eventing.sdk.operator.Requester;
import org.junit.jupiter.api.Test;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeReference;
import org.springframework.aot.hint.predicate.ReflectionHintsPredicates;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;

import static org.assertj.core.api.Assertions.assertThat;

/** What a native image needs of the tools of operators. */
class OperatorHintsTests {

	private static final ReflectionHintsPredicates REFLECTION = RuntimeHintsPredicates.reflection();

	/** Records of operators that are made of parameters, and never of JSON. */
	private static final Set<Class<?>> NO_JSON = Set.of(OperatorRules.class, ProjectorChange.class, Requester.class);

	@Test
	void hasHintsForEachRecordOfTheJsonForOperators() {
		RuntimeHints hints = new RuntimeHints();
		new OperatorHints().registerHints(hints, getClass().getClassLoader());
		new ClassFileImporter().withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
			.importPackages("dev.eventing.sdk.operator")
			.stream()
			.filter(JavaClass::isRecord)
			.map(JavaClass::reflect)
			.filter((type) -> !NO_JSON.contains(type))
			.forEach((type) -> assertBound(hints, TypeReference.of(type)));
	}

	@Test
	void hasHintsForTheFilesOfTheConsole() {
		RuntimeHints hints = new RuntimeHints();
		new ConsoleHints().registerHints(hints, getClass().getClassLoader());
		assertThat(RuntimeHintsPredicates.resource().forResource("META-INF/eventing/console/console.js"))
			.accepts(hints);
		assertBound(hints, TypeReference.of("dev.eventing.sdk.console.Session"));
		assertThat(REFLECTION.onType(TypeReference.of("org.springframework.security.web.csrf.CsrfToken")))
			.accepts(hints);
	}

	private static void assertBound(RuntimeHints hints, TypeReference type) {
		assertThat(REFLECTION.onType(type).withMemberCategory(MemberCategory.INVOKE_DECLARED_CONSTRUCTORS))
			.as(type.getName())
			.accepts(hints);
	}

}
