package dev.eventing.sdk.autoconfigure.operator;

import java.util.Objects;

import dev.eventing.sdk.autoconfigure.StartRefusedException;
import org.junit.jupiter.api.Test;

import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.env.Environment;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.ArgumentResolver;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

class UnguardedConsoleTests {

	/** By the analyzers as Boot finds them. */
	@Test
	void isReportedWithWhatGuardsIt() {
		StartRefusedException refused = EventingConsoleAutoConfiguration.unguarded("/ops/letters");
		FailureAnalysis analysis = SpringFactoriesLoader.forDefaultResourceLocation()
			.load(FailureAnalyzer.class, ArgumentResolver.of(Environment.class, new MockEnvironment()),
					(type, name, cause) -> assertThat(name).doesNotStartWith("dev.eventing"))
			.stream()
			.filter((analyzer) -> analyzer.getClass().getName().startsWith("dev.eventing."))
			.map((analyzer) -> analyzer.analyze(refused))
			.filter(Objects::nonNull)
			.findFirst()
			.orElseThrow();
		assertThat(analysis.getDescription()).contains("'/ops/letters'", "anyone");
		assertThat(analysis.getAction()).contains("starter-security", "eventing.console.access=open");
	}

}
