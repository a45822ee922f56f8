package dev.eventing.sdk.guarantees;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a page does that follows live views over NATS: Node.js runs the modules that the
 * application serves, with a client from npm.
 */
final class NodePage implements AutoCloseable {

	/** Where .ci/full has npm install the packages of src/test/npm. */
	private static final Path PACKAGES = Path.of("target/npm");

	private final Process process;

	private final OutputStream commands;

	/** What the page has told so far. */
	final List<JsonNode> told = new CopyOnWriteArrayList<>();

	private NodePage(Process process) {
		this.process = process;
		this.commands = process.getOutputStream();
		Thread reader = new Thread(this::read, "node-page");
		reader.setDaemon(true);
		reader.start();
	}

	/** Whether Node.js and the packages are here. */
	static boolean isPossible() {
		return Files.isDirectory(PACKAGES.resolve("node_modules/@nats-io/nats-core"))
				&& Stream.of(System.getenv("PATH").split(File.pathSeparator))
					.anyMatch((folder) -> Files.isExecutable(Path.of(folder, "node")));
	}

	/**
	 * Opens a page.
	 * @param webSocket the port of the NATS server
	 * @param tenant whose states the page follows
	 * @param login the user of the application
	 * @param user the user of the NATS server
	 * @param client the package of npm
	 */
	static NodePage open(BrowserNode node, int webSocket, String tenant, String login, String user, String client) {
		try {
			Path script = Path.of(Objects.requireNonNull(NodePage.class.getResource("/live/over-nats.mjs")).toURI());
			return new NodePage(new ProcessBuilder("node", "--experimental-websocket", "--no-warnings",
					script.toString(), "http://127.0.0.1:" + node.port + "/eventing/live/",
					"ws://127.0.0.1:" + webSocket, tenant, login, user, client, PACKAGES.toAbsolutePath().toString())
				.redirectError(ProcessBuilder.Redirect.INHERIT)
				.start());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (URISyntaxException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void read() {
		try (BufferedReader lines = this.process.inputReader(StandardCharsets.UTF_8)) {
			for (String line = lines.readLine(); line != null; line = lines.readLine()) {
				this.told.add(JsonMapper.shared().readTree(line));
			}
		}
		catch (IOException ex) {
			// As when it ends.
		}
	}

	/** Has the page do something. */
	void run(String command) {
		try {
			this.commands.write((command + "\n").getBytes(StandardCharsets.UTF_8));
			this.commands.flush();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The page has ended. It told: " + this.told, ex);
		}
	}

	/** Waits until the page has told something. */
	void awaitTold(String what, Predicate<JsonNode> expected) {
		Awaitility.await().untilAsserted(() -> assertThat(this.told).as(what).anyMatch(expected));
	}

	/** Waits until the page has told this of itself. */
	void awaitTold(String member, String value) {
		awaitTold(member + " " + value, (each) -> value.equals(each.path(member).asString("")));
	}

	/** Waits until the page shows this version of a key; returns its state. */
	JsonNode awaitVersion(String key, String version) {
		Awaitility.await().untilAsserted(() -> assertThat(last(key, "version")).as("%s", this.told).isEqualTo(version));
		return this.told.stream()
			.filter((each) -> key.equals(each.path("key").asString("")) && each.has("state"))
			.reduce(JsonMapper.shared().createObjectNode(), (before, next) -> next)
			.path("state");
	}

	/** Waits until the page shows this status of a key. */
	void awaitStatus(String key, String status) {
		Awaitility.await().untilAsserted(() -> assertThat(last(key, "status")).as("%s", this.told).isEqualTo(status));
	}

	private String last(String key, String member) {
		return this.told.stream()
			.filter((each) -> key.equals(each.path("key").asString("")) && each.has(member))
			.reduce("", (before, next) -> next.path(member).asString(""), (a, b) -> b);
	}

	/** The versions that the page has shown, and not read: they came as frames. */
	List<String> joined() {
		List<String> read = all("read");
		return all("version").stream().filter((version) -> !read.contains(version)).toList();
	}

	private List<String> all(String member) {
		return this.told.stream()
			.filter((each) -> each.has(member))
			.map((each) -> each.path(member).asString(""))
			.toList();
	}

	@Override
	public void close() {
		try {
			this.commands.close();
			if (!this.process.waitFor(10, TimeUnit.SECONDS)) {
				this.process.destroyForcibly();
			}
		}
		catch (IOException ex) {
			this.process.destroyForcibly();
		}
		catch (InterruptedException ex) {
			this.process.destroyForcibly();
			Thread.currentThread().interrupt();
		}
	}

}
