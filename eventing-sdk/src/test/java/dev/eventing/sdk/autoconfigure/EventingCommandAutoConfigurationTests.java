package dev.eventing.sdk.autoconfigure;

import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.SmartLifecycle;

import static org.assertj.core.api.Assertions.assertThat;

class EventingCommandAutoConfigurationTests {

	private final ApplicationContextRunner context = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(LifecycleAutoConfiguration.class, EventingCommandAutoConfiguration.class))
		.withBean(Part.class);

	@Test
	void startsNothingWhereACommandRuns() {
		this.context.withPropertyValues("eventing.command.run=verify-events")
			.run((found) -> assertThat(found).hasNotFailed()
				.getBean(Part.class)
				.matches((part) -> !part.isRunning(), "has not started"));
	}

	@Test
	void leavesAnApplicationWithoutACommandAlone() {
		this.context.run((found) -> assertThat(found).doesNotHaveBean(CommandExit.class)
			.getBean(Part.class)
			.matches(Part::isRunning, "has started"));
	}

	@Test
	void doesNotStartForACommandThatIsNone() {
		this.context.withPropertyValues("eventing.command.run=verify")
			.run((found) -> assertThat(found).getFailure().hasStackTraceContaining("CommandName.verify"));
	}

	@Test
	void isNamedToBoot() {
		assertThat(ImportCandidates.load(AutoConfiguration.class, getClass().getClassLoader()))
			.contains(EventingCommandAutoConfiguration.class.getName());
	}

	/** A part of the application that starts. */
	static class Part implements SmartLifecycle {

		private boolean running;

		@Override
		public void start() {
			this.running = true;
		}

		@Override
		public void stop() {
			this.running = false;
		}

		@Override
		public boolean isRunning() {
			return this.running;
		}

	}

}
