package dev.eventing.sdk.autoconfigure;

import java.util.List;

import dev.eventing.sdk.autoconfigure.UsersApplication.UserCreated;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.guarantees.HiddenHandlers;
import dev.eventing.sdk.nats.EventPublisher;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.ProjectorStatus;
import dev.eventing.sdk.test.server.TestServers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Boot makes every bean of the application lazy. */
@ExtendWith(OutputCaptureExtension.class)
class LazyApplicationIT {

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private final String root = this.fixture.name();

	private final String database = this.fixture.emptyDatabase();

	@Test
	void aProjectionOfWhichNotItsClassIsDeclaredIsWarnedOf(CapturedOutput output) {
		try (ConfigurableApplicationContext application = run(HiddenHandlers.class)) {
			assertThat(application.getBean(ProjectorRegistry.class).status()).extracting(ProjectorStatus::projector)
				.containsExactly("users");
			assertThat(output).contains("Of these lazy beans only an interface or a base class is known")
				.contains("projection (" + HiddenHandlers.Projection.class.getName() + ")")
				.contains("anything (java.lang.Object)")
				.doesNotContain("subclass (");
			for (String bean : List.of("projection", "anything", "subclass")) {
				application.getBean(bean);
				assertThat(output).containsOnlyOnce("Bean '" + bean + "' (" + HiddenHandlers.class.getName()
						+ "$Hidden) was created after the start of the projectors, so its handlers"
						+ " [Hidden.on(Deposited)] get no events.");
			}
		}
	}

	@Test
	void handlersOfADeclaredClassGetTheirEvents(CapturedOutput output) {
		try (ConfigurableApplicationContext application = run(NothingElse.class)) {
			application.getBean(EventPublisher.class)
				.publish(this.root + ".{tenant}.created",
						Event.builder(TenantId.of("acme"), new UserCreated("Ada")).build());
			JdbcTemplate jdbc = application.getBean(JdbcTemplate.class);
			await().untilAsserted(
					() -> assertThat(jdbc.queryForList("select name from users", String.class)).containsExactly("Ada"));
			assertThat(output).doesNotContain("Of these lazy beans");
		}
	}

	private ConfigurableApplicationContext run(Class<?> more) {
		return UsersApplication.run("spring.main.lazy-initialization=true", "spring.main.sources=" + more.getName(),
				"root=" + this.root, "spring.datasource.url=" + this.database,
				"eventing.nats.servers=" + TestServers.nats().url(), "eventing.schema.mode=migrate",
				"eventing.streams." + this.root + ".subjects=" + this.root + ".>");
	}

	static class NothingElse {

	}

}
