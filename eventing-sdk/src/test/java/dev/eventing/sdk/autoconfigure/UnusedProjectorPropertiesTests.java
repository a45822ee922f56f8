package dev.eventing.sdk.autoconfigure;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class UnusedProjectorPropertiesTests {

	private final ApplicationContextRunner context = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(EventingAutoConfiguration.class))
		.withUserConfiguration(EventingAutoConfigurationTests.Database.class)
		.withBean(PropertiesProjectorSettingsTests.Endpoints.class)
		.withBean(PropertiesProjectorSettingsTests.Handlers.class)
		.withPropertyValues("eventing.schema.mode=none");

	@Test
	void areWarnedOf(CapturedOutput output) {
		this.context.withPropertyValues("eventing.projectors.anotated.max-deliver=9")
			.run((found) -> assertThat(output).contains("WARN").contains("'eventing.projectors.anotated.*'"));
	}

	/** As that of a management port. */
	@Test
	void areWarnedOfOnceThoughAContextBelowStarts(CapturedOutput output) {
		this.context.withPropertyValues("eventing.projectors.anotated.max-deliver=9").run((found) -> {
			try (GenericApplicationContext below = new GenericApplicationContext(found.getSourceApplicationContext())) {
				below.refresh();
			}
			assertThat(output).containsOnlyOnce("'eventing.projectors.anotated.*'");
		});
	}

	@Test
	void areNotThoseOfAProjectorThereIs(CapturedOutput output) {
		this.context.withPropertyValues("eventing.projectors.Annotated.max-deliver=9")
			.run((found) -> assertThat(output).doesNotContain("have no effect"));
	}

}
