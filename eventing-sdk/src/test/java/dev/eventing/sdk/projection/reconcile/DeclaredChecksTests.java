package dev.eventing.sdk.projection.reconcile;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

import dev.eventing.sdk.InvalidDeclarationException;
import dev.eventing.sdk.UnknownNameException;
import dev.eventing.sdk.projection.FoldedRow;
import dev.eventing.sdk.projection.Reconciliation;
import dev.eventing.sdk.projection.ReconciliationCheck;
import dev.eventing.sdk.store.Fold;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class DeclaredChecksTests {

	@Test
	void findsQueriesAsTextAndAsResources() {
		try (AnnotationConfigApplicationContext context = context(Sound.class)) {
			DeclaredChecks checks = context.getBean(DeclaredChecks.class);
			assertThat(checks.all()).extracting(DeclaredCheck::check)
				.containsExactly(new ReconciliationCheck("states", "orders", null),
						new ReconciliationCheck("totals", "orders", Duration.ofMinutes(10)));
			assertThat(checks.require("states").sql()).isEqualTo("select 1");
			assertThat(checks.require("totals").sql()).isEqualTo("select 2 -- ü");
			assertThatExceptionOfType(UnknownNameException.class).isThrownBy(() -> checks.require("other"))
				.withMessageContaining("no check 'other'. Known are [states, totals]");
		}
	}

	@Test
	void findsFoldsWhichNeedNoConditionForTheirBuckets() {
		try (AnnotationConfigApplicationContext context = context(Folding.class)) {
			DeclaredCheck check = context.getBean(DeclaredChecks.class).require("sums");
			assertThat(check.folded()).isEqualTo(Folding.SUMS);
			assertThat(check.sql()).isEmpty();
			assertThat(check.buckets()).isEqualTo(8);
		}
	}

	@Test
	void refusesAFoldOfNoEvents() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> FoldedRow.of("sums", "id", Set.of(), Folding.FOLD, (sum) -> Map.of("sum", sum)))
			.withMessageContaining("Consider a name for each, and one type or more.");
	}

	@Test
	void namesAllProblemsAtOnce() {
		assertThatExceptionOfType(InvalidDeclarationException.class).isThrownBy(() -> context(Wrong.class))
			.satisfies((ex) -> assertThat(ex.problems()).hasSize(6)
				.allSatisfy((problem) -> assertThat(problem).startsWith("@Reconciliation method '"))
				.anySatisfy((problem) -> assertThat(problem).contains("its name is ''"))
				.anySatisfy((problem) -> assertThat(problem).contains("its every is 'soon'", "such as 10m or PT10M"))
				.anySatisfy((problem) -> assertThat(problem).contains("it has parameters"))
				.anySatisfy((problem) -> assertThat(problem).contains("it returns no query"))
				.anySatisfy((problem) -> assertThat(problem).contains("missing.sql", "cannot be read"))
				.anySatisfy((problem) -> assertThat(problem).contains("another check has the name 'one'")));
	}

	private static AnnotationConfigApplicationContext context(Class<?> checks) {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.getEnvironment()
			.getPropertySources()
			.addFirst(new MapPropertySource("test", Map.of("projector", "orders", "every", "10m")));
		context.register(DeclaredChecks.class, checks);
		context.refresh();
		return context;
	}

	static class Sound {

		@Reconciliation(name = "states", projector = "${projector}")
		protected String states() {
			return " select 1 ;\n";
		}

		@Reconciliation(name = "totals", projector = "orders", every = "${every}")
		Resource totals() {
			return new ByteArrayResource("select 2 -- ü".getBytes(StandardCharsets.UTF_8));
		}

	}

	static class Folding {

		static final Fold<Integer> FOLD = Fold.of(Integer.class, 0, (sum, event) -> sum + 1);

		static final FoldedRow<Integer> SUMS = FoldedRow.of("sums", "id", Set.of("Added"), FOLD,
				(sum) -> Map.of("sum", sum));

		@Reconciliation(name = "sums", projector = "orders", buckets = 8)
		FoldedRow<Integer> sums() {
			return SUMS;
		}

	}

	static class Wrong {

		@Reconciliation(name = "", projector = "orders")
		String nameless() {
			return "select 1";
		}

		@Reconciliation(name = "often", projector = "orders", every = "soon")
		String often() {
			return "select 1";
		}

		@Reconciliation(name = "parameters", projector = "orders")
		String parameters(String of) {
			return "select 1";
		}

		@Reconciliation(name = "empty", projector = "orders")
		String empty() {
			return ";";
		}

		@Reconciliation(name = "missing", projector = "orders")
		Resource missing() {
			return new ClassPathResource("missing.sql");
		}

		@Reconciliation(name = "one", projector = "orders")
		String one() {
			return "select 1";
		}

		@Reconciliation(name = "one", projector = "orders")
		String another() {
			return "select 1";
		}

	}

}
