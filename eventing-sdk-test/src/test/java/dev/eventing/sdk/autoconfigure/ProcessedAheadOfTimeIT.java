package dev.eventing.sdk.autoconfigure;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import javax.tools.ToolProvider;

import dev.eventing.sdk.autoconfigure.ShopApplication.Cancelled;
import dev.eventing.sdk.autoconfigure.ShopApplication.History;
import dev.eventing.sdk.autoconfigure.ShopApplication.Sales;
import dev.eventing.sdk.autoconfigure.ShopApplication.Shipped;
import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.guarantees.ChildJvm;
import dev.eventing.sdk.test.server.TestServers;
import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.SpringApplicationAotProcessor;
import org.springframework.context.aot.AbstractAotProcessor.Settings;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * An application that is processed ahead of time as Boot's plugins do it, and runs from
 * that code on real servers, in a JVM of its own.
 */
class ProcessedAheadOfTimeIT {

	private static final String CLASS_PATH = System.getProperty("java.class.path");

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private final String root = this.fixture.name();

	private final JdbcTemplate jdbc = this.fixture.jdbc();

	@TempDir
	private Path folder;

	@Test
	void appliesEventsOfEachSourceAndEvaluatesKeys() throws Exception {
		this.jdbc.execute("create table sales (tenant_id text, item text, quantity integer)");
		this.jdbc.execute("create table history (change text)");
		generate();
		compile();
		Path log = this.folder.resolve("log");
		Process jvm = start(log);
		try {
			await().atMost(Patience.PROCESS).untilAsserted(() -> {
				throwIfEnded(jvm, log);
				assertThat(texts("select tenant_id || ': ' || quantity || ' ' || item from sales"))
					.containsExactly("acme: 2 tea");
				assertThat(texts("select change from history")).containsExactlyInAnyOrder(
						new Shipped("tea", 2).toString(), new Shipped(ShopApplication.REFUSED, 1).toString(),
						new Cancelled("tea").toString());
				assertThat(texts("select ordering_key from eventing.dead_letters where projector_name = 'sales'"))
					.containsExactly(ShopApplication.REFUSED);
				assertThat(texts("select key || ' ' || state from eventing.projection_snapshots order by 1"))
					.containsExactly("coffee {\"quantity\": 1}", "tea {\"quantity\": 2}");
			});
			assertThat(log).content().contains("Starting AOT-processed ShopApplication");
		}
		finally {
			jvm.destroyForcibly().waitFor();
		}
	}

	/** On the JVM reflection needs no hint, so a missing one shows here only. */
	@Test
	void namesHandlersAndPayloadsToANativeImage() throws IOException {
		generate();
		JsonNode reflection = new JsonMapper()
			.readTree(this.folder.resolve("resources/META-INF/native-image/test/shop/reachability-metadata.json"))
			.get("reflection");
		assertThat(methods(reflection, Sales.class)).contains("on");
		assertThat(methods(reflection, History.class)).contains("changed");
		for (Class<?> payload : List.of(Shipped.class, Cancelled.class)) {
			assertThat(methods(reflection, payload)).contains("item");
			assertThat(hints(reflection, payload))
				.anyMatch((hint) -> hint.path("allDeclaredConstructors").asBoolean(false));
		}
	}

	private static List<String> methods(JsonNode reflection, Class<?> type) {
		return hints(reflection, type).stream()
			.flatMap((hint) -> hint.path("methods").valueStream())
			.map((method) -> method.path("name").asString())
			.toList();
	}

	private static List<JsonNode> hints(JsonNode reflection, Class<?> type) {
		return reflection.valueStream()
			.filter((hint) -> type.getName().equals(hint.path("type").asString("")))
			.toList();
	}

	private List<String> texts(String query) {
		return this.jdbc.queryForList(query, String.class);
	}

	/** With other names and addresses than at run time. */
	private void generate() {
		Settings settings = Settings.builder()
			.sourceOutput(this.folder.resolve("sources"))
			.resourceOutput(this.folder.resolve("resources"))
			.classOutput(this.folder.resolve("classes"))
			.groupId("test")
			.artifactId("shop")
			.build();
		new SpringApplicationAotProcessor(ShopApplication.class, settings,
				arguments("built", "nats://localhost:1", "jdbc:postgresql://localhost:1/built"))
			.process();
	}

	private static String[] arguments(String root, String nats, String database) {
		return Stream
			.of("root=" + root, "eventing.nats.servers=" + nats, "spring.datasource.url=" + database,
					"spring.datasource.username=postgres", "spring.datasource.hikari.maximum-pool-size=8",
					"spring.flyway.enabled=false", "spring.jpa.open-in-view=false", "spring.main.banner-mode=off",
					"server.address=127.0.0.1", "server.port=0",
					"eventing.streams." + root + ".subjects=" + root + ".>", "eventing.relays.shop.enabled=true")
			.map("--"::concat)
			.toArray(String[]::new);
	}

	private void compile() throws IOException {
		String classes = this.folder.resolve("classes").toString();
		// generated code names proxies that were generated as classes
		List<String> arguments = new ArrayList<>(
				List.of("-proc:none", "-nowarn", "-d", classes, "-cp", classes + File.pathSeparator + CLASS_PATH));
		try (Stream<Path> files = Files.walk(this.folder.resolve("sources"))) {
			files.filter(Files::isRegularFile).map(Path::toString).forEach(arguments::add);
		}
		ByteArrayOutputStream said = new ByteArrayOutputStream();
		int result = ToolProvider.getSystemJavaCompiler().run(null, said, said, arguments.toArray(String[]::new));
		assertThat(result).as(said.toString(StandardCharsets.UTF_8)).isZero();
	}

	private Process start(Path log) throws IOException {
		List<String> command = ChildJvm.java();
		command.addAll(
				List.of("-Dspring.aot.enabled=true", "-cp",
						String.join(File.pathSeparator, this.folder.resolve("classes").toString(),
								this.folder.resolve("resources").toString(), CLASS_PATH),
						ShopApplication.class.getName()));
		command.addAll(List.of(arguments(this.root, TestServers.nats().url(), this.fixture.url())));
		return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
	}

	/** It will not do any more what the test waits for. */
	private static void throwIfEnded(Process jvm, Path log) throws IOException {
		if (!jvm.isAlive()) {
			throw new IllegalStateException("The application has ended: " + Files.readString(log));
		}
	}

}
