package dev.eventing.sdk.autoconfigure;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.store.Fold;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/** An application runs a command with its own code instead of starting. */
@ExtendWith(OutputCaptureExtension.class)
class CommandsIT {

	private static final List<Integer> EXITS = new CopyOnWriteArrayList<>();

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private final JdbcTemplate jdbc = this.fixture.jdbc();

	@BeforeEach
	void nothingHasEnded() {
		EXITS.clear();
	}

	@Test
	void eventsAreVerifiedWithTheClassesOfHandlersThatDoNotRun(CapturedOutput output) {
		append("user-1", 1, "UserCreated", "{\"name\": \"Ada\"}");
		append("user-1", 2, "UserCreated", "{\"name\": {\"first\": \"secret\"}}");
		append("user-2", 1, "forgotten", "{}");
		JsonNode result = run(output, "eventing.command.run=verify-events");
		assertThat(EXITS).containsExactly(9);
		assertThat(result.path("events").asInt()).isEqualTo(3);
		assertThat(result.at("/unknownTypes/0").asString()).isEqualTo("forgotten");
		assertThat(result.path("unbound").size()).isEqualTo(1);
		assertThat(result.at("/unbound/0/type").asString()).isEqualTo("UserCreated");
		assertThat(result.at("/unbound/0/positions/0").asLong()).isEqualTo(2);
		assertThat(output.toString()).doesNotContain("secret");
		assertThat(count("select count(*) from users")).as("handled").isZero();
		assertThat(count("select count(*) from eventing.leases")).as("leases").isZero();
		assertThat(count("select count(*) from eventing.projector_nodes")).as("nodes").isZero();
	}

	@Test
	void eventsThatAllBindAreSaidToDoSo(CapturedOutput output) {
		append("user-1", 1, "UserCreated", "{\"name\": \"Ada\"}");
		JsonNode result = run(output, "eventing.command.run=verify-events", "eventing.command.tenant=acme");
		assertThat(EXITS).containsExactly(0);
		assertThat(result.path("events").asInt()).isEqualTo(1);
	}

	@Test
	void snapshotsOfAFoldThatIsABeanAreRebuilt(CapturedOutput output) {
		append("user-1", 1, "UserCreated", "{\"name\": \"Ada\"}");
		this.jdbc.update("insert into eventing.streams values ('acme', 'user-1', 1)");
		this.jdbc.update("""
				insert into eventing.snapshots (tenant_id, stream_id, state_type, fold_version, version, state)
				values ('acme', 'user-1', 'names', 1, 1, '{"names": 7}')""");
		JsonNode dry = run(output, "eventing.command.run=rebuild-snapshots", "eventing.command.dry-run=true");
		assertThat(dry.at("/folds/0/due").asInt()).isEqualTo(1);
		assertThat(dry.at("/folds/0/written").asInt()).isZero();
		JsonNode result = run(output, "eventing.command.run=rebuild-snapshots");
		assertThat(result.at("/folds/0/fold").asString()).isEqualTo("names");
		assertThat(result.at("/folds/0/written").asInt()).isEqualTo(1);
		assertThat(this.jdbc.queryForObject("select fold_version || ' ' || state::text from eventing.snapshots",
				String.class))
			.isEqualTo("2 {\"names\": 1}");
		run(output, "eventing.command.run=rebuild-snapshots", "eventing.command.fold=other");
		assertThat(EXITS).containsExactly(0, 0, 3);
	}

	/** Without NATS: nothing needs it. Returns the last result. */
	private JsonNode run(CapturedOutput output, String... command) {
		List<String> properties = new CopyOnWriteArrayList<>(
				List.of("root=nowhere", "spring.main.sources=" + Additions.class.getName(),
						"spring.datasource.url=" + this.fixture.url(), "eventing.nats.servers=nats://127.0.0.1:1"));
		properties.addAll(List.of(command));
		try (ConfigurableApplicationContext application = UsersApplication.run(properties.toArray(String[]::new))) {
			assertThat(application.isActive()).isTrue();
		}
		List<String> results = output.getOut()
			.lines()
			.filter((line) -> line.startsWith("{\"eventingCommand\":"))
			.toList();
		return JsonMapper.shared().readTree(results.get(results.size() - 1));
	}

	private void append(String stream, int version, String type, String payload) {
		this.jdbc.update("""
				insert into %s
				  (event_id, tenant_id, stream_id, stream_version, event_type, occurred_at, payload, metadata)
				values (gen_random_uuid(), 'acme', ?, ?, ?, now(), ?::jsonb, '{"source": "test"}')
				""".formatted(EventingSchema.defaults().table("events")), stream, version, type, payload);
	}

	private long count(String sql) {
		Long count = this.jdbc.queryForObject(sql, Long.class);
		return (count != null) ? count : 0;
	}

	@Configuration(proxyBeanMethods = false)
	static class Additions {

		@Bean
		CommandExit exit() {
			return EXITS::add;
		}

		@Bean
		Fold<Names> names() {
			return Fold.of(Names.class, new Names(0), (names, event) -> new Names(names.names() + 1))
				.named("names")
				.withSnapshotEvery(1)
				.withVersion(2);
		}

	}

	record Names(int names) {
	}

}
