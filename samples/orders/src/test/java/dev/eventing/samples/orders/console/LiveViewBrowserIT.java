package dev.eventing.samples.orders.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The module of live views in a browser: what it makes of frames that are lost, doubled
 * and late, and of a server that falls silent. The server is scripted here.
 */
@Tag("browser")
class LiveViewBrowserIT {

	private static final String STATE = "{\"view\":\"v\",\"key\":\"k\",\"version\":\"1.%d\",\"state\":{\"n\":%d}}";

	private static final ExecutorService THREADS = Executors.newCachedThreadPool();

	/** What clients have said that they have. */
	private static final List<String> POSITIONS = new CopyOnWriteArrayList<>();

	private static final List<OutputStream> STREAMS = new CopyOnWriteArrayList<>();

	private static HttpServer server;

	private static Browser browser;

	@BeforeAll
	static void start() throws IOException {
		server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		server.setExecutor(THREADS);
		file("/live-rounds.html", "/live/live-rounds.html", "text/html");
		file("/live-rounds.js", "/live/live-rounds.js", "text/javascript");
		file("/eventing-live.js", "/META-INF/eventing/live/eventing-live.js", "text/javascript");
		server.createContext("/events", LiveViewBrowserIT::stream);
		server.createContext("/state", (exchange) -> answer(exchange, "application/json",
				STATE.formatted(9, 9).getBytes(StandardCharsets.UTF_8)));
		server.start();
		browser = Browser.start();
	}

	@AfterAll
	static void stop() {
		browser.close();
		server.stop(0);
		THREADS.shutdownNow();
	}

	@BeforeEach
	void open() {
		POSITIONS.clear();
		STREAMS.clear();
		browser.open("http://127.0.0.1:" + server.getAddress().getPort() + "/live-rounds.html");
		browser.await("body[data-ready]");
	}

	@Test
	void endsWithTheStoredStateWhateverTheConnectionDoesToFrames() {
		Map<?, ?> result = (Map<?, ?>) browser.run("return window.rounds(1000)");
		assertThat((List<?>) result.get("failed")).as("seeds of rounds that failed").isEmpty();
		assertThat((Long) result.get("reads")).as("so that gaps were there").isGreaterThan(1000);
		assertThat((List<?>) browser.run("return window.cuts()")).isEmpty();
	}

	@Test
	void mergesPatchesAsTheStandardHasIt() {
		assertThat(browser
			.run("""
					return JSON.stringify([
						window.mergePatch({ a: 1, b: { c: 1, d: 2 } }, { a: null, b: { c: null, e: [1, null] } }),
						window.mergePatch([1], { a: 1 }), window.mergePatch({ a: 1 }, [2]),
						Object.getPrototypeOf(window.mergePatch({}, JSON.parse('{"__proto__":{"x":1}}'))) === Object.prototype])"""))
			.isEqualTo("[{\"b\":{\"d\":2,\"e\":[1,null]}},{\"a\":1},[2],true]");
	}

	@Test
	void tellsLiveFromStaleAndResumes() throws IOException {
		browser.run("""
				window.seen = [];
				window.client = new LiveClient({ staleAfter: 3000 });
				window.client.subscribe('v', 'k', { onState: (state) => window.seen.push(state.n),
					onStatus: (status) => window.seen.push(status) });""");
		awaitStreams(1);
		send("retry: 100\n\nid: 1.1\nevent: rebuild\ndata: " + STATE.formatted(1, 1) + "\n\n" + live("1.1"));
		awaitSeen("connecting,1,live");
		send("id: 1.2\nevent: delta\ndata: {\"view\":\"v\",\"key\":\"k\",\"from\":\"1.1\",\"version\":\"1.2\","
				+ "\"patch\":{\"n\":2}}\n\n");
		awaitSeen("connecting,1,live,2,stale");
		awaitStreams(2);
		assertThat(POSITIONS).startsWith("-", "1.2");
		// The frame of 1.3 is lost: what the id tells makes the module read the state.
		send(live("1.3"));
		awaitSeen("connecting,1,live,2,stale,live,9");
		browser.run("window.client.close()");
		Awaitility.await()
			.untilAsserted(
					() -> assertThat(String.valueOf(browser.run("return window.seen.at(-1)"))).isEqualTo("closed"));
	}

	private static String live(String id) {
		return "id: " + id + "\nevent: live-status\ndata: {\"view\":\"v\",\"key\":\"k\",\"status\":\"live\"}\n\n";
	}

	private static void awaitStreams(int count) {
		Awaitility.await().until(() -> STREAMS.size() >= count);
	}

	private static void awaitSeen(String seen) {
		Awaitility.await()
			.untilAsserted(() -> assertThat(String.valueOf(browser.run("return window.seen.join()"))).startsWith(seen));
	}

	private static void send(String text) throws IOException {
		OutputStream last = STREAMS.get(STREAMS.size() - 1);
		last.write(text.getBytes(StandardCharsets.UTF_8));
		last.flush();
	}

	private static void stream(HttpExchange exchange) throws IOException {
		POSITIONS.add(exchange.getRequestHeaders().getFirst("Last-Event-ID"));
		exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
		exchange.sendResponseHeaders(200, 0);
		STREAMS.add(exchange.getResponseBody());
	}

	private static void file(String path, String resource, String type) throws IOException {
		try (InputStream file = LiveViewBrowserIT.class.getResourceAsStream(resource)) {
			byte[] content = file.readAllBytes();
			server.createContext(path, (exchange) -> answer(exchange, type, content));
		}
	}

	private static void answer(HttpExchange exchange, String type, byte[] content) throws IOException {
		exchange.getResponseHeaders().set("Content-Type", type);
		exchange.sendResponseHeaders(200, content.length);
		exchange.getResponseBody().write(content);
		exchange.close();
	}

}
