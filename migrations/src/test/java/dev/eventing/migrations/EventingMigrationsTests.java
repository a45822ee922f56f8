package dev.eventing.migrations;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class EventingMigrationsTests {

	/** Add a line per new script; never change one that is published. */
	private static final Map<String, String> PUBLISHED = Map.of("V1__create_tables.sql",
			"bfb83f9443db5f2df57864b8ee7d7b972d441aa9b61c7af7e890b84ce2cbf0a0");

	@Test
	void keepsEveryPublishedScriptAsItIs() throws IOException, NoSuchAlgorithmException {
		Map<String, String> hashes = new LinkedHashMap<>();
		for (String script : EventingMigrations.scripts()) {
			hashes.put(script, sha256(script));
		}
		assertThat(hashes).isEqualTo(PUBLISHED);
	}

	@Test
	void listsEveryScriptOfTheLocation() throws IOException, URISyntaxException {
		String folder = "/" + EventingMigrations.LOCATION.substring("classpath:".length());
		Path location = Path.of(Objects.requireNonNull(getClass().getResource(folder)).toURI());
		try (Stream<Path> files = Files.list(location)) {
			assertThat(files.map((file) -> file.getFileName().toString()))
				.containsExactlyInAnyOrderElementsOf(EventingMigrations.scripts());
		}
	}

	@Test
	void numbersVersionsFromOneWithoutGaps() {
		List<String> versions = EventingMigrations.versions();
		assertThat(versions).isNotEmpty();
		for (int i = 0; i < versions.size(); i++) {
			assertThat(versions.get(i)).isEqualTo(String.valueOf(i + 1));
		}
	}

	@Test
	void commentsEveryTable() {
		String sql = EventingMigrations.sql();
		List<String> tables = sql.lines()
			.filter((line) -> line.startsWith("create table "))
			.map((line) -> line.split(" ", -1)[2])
			.toList();
		assertThat(tables).hasSize(39)
			.allSatisfy((table) -> assertThat(sql).contains("comment on table " + table + " is"));
	}

	@Test
	void printsTheSqlForOneSchemaAsOneTransaction() {
		assertThat(printed("billing_events")).startsWith("begin;\ncreate schema if not exists \"billing_events\";")
			.contains("set local search_path to \"billing_events\";", EventingMigrations.sql())
			.endsWith("commit;\n");
		assertThat(printed()).isEqualTo(EventingMigrations.sql());
	}

	@Test
	void refusesASchemaNameThatWouldNeedEscaping() {
		assertThatIllegalArgumentException().isThrownBy(() -> EventingMigrations.sql("x\"; drop"))
			.withMessageContaining("'x\"; drop'");
	}

	private static String printed(String... args) {
		PrintStream console = System.out;
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
		try {
			EventingMigrations.main(args);
		}
		finally {
			System.setOut(console);
		}
		return bytes.toString(StandardCharsets.UTF_8);
	}

	private static String sha256(String script) throws IOException, NoSuchAlgorithmException {
		try (InputStream in = EventingMigrations.class.getResourceAsStream("postgresql/" + script)) {
			byte[] bytes = Objects.requireNonNull(in, script).readAllBytes();
			return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
		}
	}

}
