package dev.eventing.samples.quickstart;

import dev.eventing.sdk.projector.ProjectorCounts;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.test.server.TestServers;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;

/** Runs the sample: what it publishes twice is applied once. */
class QuickstartIT {

	@Test
	void appliesAnEventOnceThatIsPublishedTwice() {
		try (ConfigurableApplicationContext application = SpringApplication.run(QuickstartApplication.class,
				"--eventing.nats.servers=" + TestServers.nats().url(),
				"--spring.datasource.url=" + TestServers.postgres().createDatabase())) {
			ProjectorCounts counts = application.getBean(ProjectorRegistry.class).status("daily-sales").counts();
			assertThat(counts.processed()).isOne();
			assertThat(counts.duplicates()).isOne();
			JdbcClient jdbc = application.getBean(JdbcClient.class);
			assertThat(jdbc.sql("select quantity from daily_sales").query(Integer.class).list()).containsExactly(2);
		}
	}

}
