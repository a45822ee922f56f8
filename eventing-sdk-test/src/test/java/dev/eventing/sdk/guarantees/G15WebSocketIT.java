package dev.eventing.sdk.guarantees;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.guarantees.Balances.Balance;
import dev.eventing.sdk.liveview.frame.FrameSubjects;
import dev.eventing.sdk.test.server.NatsServer;
import dev.eventing.sdk.test.server.NatsServerBinary;
import dev.eventing.sdk.test.server.TestServers;
import io.nats.client.AuthenticationException;
import io.nats.client.Nats;
import io.nats.client.Options;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Pages that follow live views over a WebSocket of the NATS server, which is configured
 * as docs/live-views-in-browsers.md has it, word for word but for the certificate. The
 * pages run in Node.js with clients from npm.
 */
@Tag("browser")
class G15WebSocketIT {

	private static final Path PAGE = Path.of("../docs/live-views-in-browsers.md");

	private static final TenantId ACME = TenantId.of("acme");

	private static final TenantId GLOBEX = TenantId.of("globex");

	private static final String CLIENT = "@nats-io/nats-core";

	@RegisterExtension
	static final Fixture FIXTURE = new Fixture();

	private static NatsServer server;

	private static int port;

	@BeforeAll
	static void start() throws IOException {
		assumeTrue(NodePage.isPossible(),
				"Node.js is not on the PATH, or target/npm has no packages. Consider .ci/full, which fetches them.");
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			port = socket.getLocalPort();
		}
		server = FIXTURE.opened(NatsServer.start(NatsServerBinary.find(), configuration()));
	}

	@ParameterizedTest
	@ValueSource(strings = { "@nats-io/nats-core", "nats.ws" })
	void joinsChangesAndReadsWhatIsLost(String client) {
		try (BrowserNode node = node(); NodePage page = NodePage.open(node, port, "acme", "ada", "acme", client)) {
			node.append(ACME, 1, 3);
			node.append(GLOBEX, 1, 9);
			page.run("follow balances a");
			page.awaitVersion("a", "1.3");
			page.awaitStatus("a", "live");
			for (int version = 4; version <= 12; version++) {
				node.append(ACME, version, version);
				page.awaitVersion("a", "1." + version);
			}
			assertThat(page.joined()).as("%s", page.told).isNotEmpty();
			page.run("drop 1");
			page.awaitTold("dropping", "1");
			node.append(ACME, 13, 13);
			page.awaitTold("dropped", "projection.acme.balances.a");
			node.append(ACME, 14, 14);
			page.awaitVersion("a", "1.14");
			// No frame follows the last one: the digest tells of it.
			page.run("drop 2");
			page.awaitTold("dropping", "2");
			node.append(ACME, 15, 15);
			assertThat(page.awaitVersion("a", "1.15")).isEqualTo(node.stored(ACME).tree());
			assertThat(node.stored(ACME).as(Balance.class)).isEqualTo(Balance.upTo(15));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "@nats-io/nats-core", "nats.ws" })
	void refusesWhatIsOfOtherTenants(String client) {
		try (BrowserNode node = node(); NodePage page = NodePage.open(node, port, "acme", "ada", "acme", client)) {
			page.awaitTold("ready", "true");
			for (String subject : List.of("projection.globex.balances.a", "projection.globex.>", "projection.>",
					"projection.*.balances.a", ">", "*.>", "$JS.API.>", "$JS.EVENT.>", "$SYS.>", "_INBOX.>",
					"browser.>", "dlq.>")) {
				page.run("listen " + subject);
				page.awaitTold(subject,
						(each) -> each.path("listen").asString("").equals(subject) && each.has("refused"));
			}
			page.run("listen projection.acme.>");
			page.awaitTold("listens",
					(each) -> each.path("listen").asString("").equals("projection.acme.>") && each.has("sent"));
			node.append(GLOBEX, 1, 3);
			node.append(ACME, 1, 3);
			page.awaitTold("got", "projection.acme.balances.a");
			assertThat(page.told).noneMatch((each) -> each.path("got").asString("").contains("globex"));
			for (String subject : List.of("projection.acme.balances.a", "projection-owner.balances", "$JS.API.INFO")) {
				page.run("publish " + subject);
				page.awaitTold(subject, (each) -> isAboutPublishing(each.path("about").asString(""), subject));
			}
		}
	}

	/** The two clients tell of a permission that is missing in ways of their own. */
	private static boolean isAboutPublishing(String text, String subject) {
		return text.toLowerCase(Locale.ROOT).contains("publish") && text.contains('"' + subject + '"');
	}

	@Test
	void isRefusedIfTheApplicationOrTheServerRefuses() {
		try (BrowserNode node = node();
				NodePage ofOtherStates = NodePage.open(node, port, "globex", "ada", "globex", CLIENT);
				NodePage ofOtherChanges = NodePage.open(node, port, "globex", "bob", "acme", CLIENT)) {
			ofOtherStates.run("follow balances a");
			ofOtherStates.awaitStatus("a", "refused");
			assertThat(ofOtherStates.told).noneMatch((each) -> each.has("state"));
			ofOtherChanges.run("follow balances a");
			ofOtherChanges.awaitStatus("a", "refused");
			assertThat(ofOtherChanges.told).noneMatch((each) -> each.path("status").asString("").equals("live"));
		}
	}

	@Test
	void isStaleAndReadsOnWhileTheServerIsGone() {
		try (BrowserNode node = node(); NodePage page = NodePage.open(node, port, "acme", "ada", "acme", CLIENT)) {
			node.append(ACME, 1, 3);
			page.run("follow balances a");
			page.awaitVersion("a", "1.3");
			page.awaitStatus("a", "live");
			server.kill();
			page.awaitStatus("a", "stale");
			int before = page.told.size();
			node.append(ACME, 4, 6);
			page.awaitVersion("a", "1.6");
			// Nobody has told the page of a version: its reads are answered by the
			// database.
			assertThat(page.told.subList(before, page.told.size())).filteredOn((each) -> each.has("read"))
				.isNotEmpty()
				.allMatch((each) -> each.path("least").asString("").isEmpty());
			server.restart();
			page.awaitStatus("a", "live");
			node.append(ACME, 7, 9);
			page.awaitVersion("a", "1.9");
			page.run("leave a");
			page.awaitStatus("a", "closed");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "@nats-io/nats-core", "nats.ws" })
	void isLiveThoughItBeganWhileTheServerWasGone(String client) {
		try (BrowserNode node = node(); NodePage page = NodePage.open(node, port, "acme", "ada", "acme", client)) {
			page.awaitTold("ready", "true");
			node.append(ACME, 1, 3);
			server.kill();
			page.awaitTold("connection", "disconnect");
			page.run("follow balances a");
			page.awaitVersion("a", "1.3");
			page.awaitStatus("a", "stale");
			server.restart();
			page.awaitStatus("a", "live");
			node.append(ACME, 4, 6);
			page.awaitVersion("a", "1.6");
			server.kill();
			page.awaitStatus("a", "stale");
			server.restart();
			page.awaitStatus("a", "live");
		}
	}

	/** Frames of the owner before it may be lost. */
	@ParameterizedTest
	@ValueSource(strings = { "@nats-io/nats-core", "nats.ws" })
	void isStaleUntilItHasReadWhenAnotherOwnerIsHeard(String client) {
		try (BrowserNode node = node(); NodePage page = NodePage.open(node, port, "acme", "ada", "acme", client)) {
			node.append(ACME, 1, 3);
			page.run("follow balances a");
			page.awaitVersion("a", "1.3");
			page.awaitStatus("a", "live");
			int before = page.told.size();
			node.beatAsAnotherOwner();
			await().untilAsserted(() -> assertThat(page.told.stream().skip(before).map(G15WebSocketIT::kind).distinct())
				.as("%s", page.told)
				.containsSubsequence("stale", "read", "live"));
		}
	}

	private static String kind(JsonNode told) {
		return told.has("read") ? "read" : told.path("status").asString("");
	}

	@Test
	void encodesKeysAsNodesDo() {
		try (BrowserNode node = node(); NodePage page = NodePage.open(node, port, "acme", "ada", "acme", CLIENT)) {
			for (String key : List.of("a", "a.b", "*", ">", "a b", "\"'\\", "grün", "%2E", "a=b", "\n", "😀",
					"k".repeat(1024), "k".repeat(1025), "ü".repeat(1024))) {
				page.run("subject " + URLEncoder.encode(key, StandardCharsets.UTF_8).replace("+", "%20"));
				page.awaitTold("subject", FrameSubjects.of(ACME, "v", key));
			}
		}
	}

	@Test
	void admitsBrowsersByWebSocketOnlyAndPagesOfTheApplicationOnly() {
		assertThatExceptionOfType(AuthenticationException.class).isThrownBy(() -> Nats
			.connect(Options.builder().server(server.url()).userInfo("acme", "acme").maxReconnects(0).build()));
		try (BrowserNode node = node();
				NodePage page = NodePage.open(node, port, "acme", "ada", "application", CLIENT)) {
			page.awaitTold("refused",
					(each) -> each.path("refused").asString("").toLowerCase(Locale.ROOT).contains("authorization"));
		}
		assertThat(handshake("https://app.example.com")).isZero();
		assertThat(handshake("https://evil.example.com")).isEqualTo(403);
	}

	/** The status with which the server refuses a page from there, or zero. */
	private static int handshake(String origin) {
		URI address = URI.create("ws://127.0.0.1:" + port);
		WebSocket.Listener listener = new WebSocket.Listener() {
		};
		try {
			HttpClient.newHttpClient()
				.newWebSocketBuilder()
				.header("Origin", origin)
				.buildAsync(address, listener)
				.join()
				.abort();
			return 0;
		}
		catch (CompletionException ex) {
			if (ex.getCause() instanceof WebSocketHandshakeException refused) {
				return refused.getResponse().statusCode();
			}
			throw ex;
		}
	}

	private static BrowserNode node() {
		return BrowserNode.start(TestServers.postgres().createDatabase(),
				server.url().replace("nats://", "nats://application:application@"));
	}

	/** The block of the page. */
	private static String configuration() throws IOException {
		Matcher block = Pattern.compile("```text\\n# nats.conf\\n(.*?)```", Pattern.DOTALL)
			.matcher(Files.readString(PAGE));
		assertThat(block.find()).isTrue();
		String text = block.group(1)
			.replaceFirst("port: \\d+", "host: \"127.0.0.1\"\n  port: " + port)
			.replaceFirst("tls \\{.*}", "no_tls: true");
		return """
				APPLICATION_PASSWORD: application
				ACME_PASSWORD: acme
				GLOBEX_PASSWORD: globex
				""" + text;
	}

}
