package dev.eventing.samples.orders.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import org.awaitility.Awaitility;

/**
 * A server of live views that answers as a test has it: it opens streams and has the
 * version 1.9 of each key, unless the test replaces that.
 */
final class LiveServer implements AutoCloseable {

	/** A state as frames and answers have it, with its number twice. */
	static final String STATE = "{\"view\":\"v\",\"key\":\"k\",\"version\":\"1.%d\",\"state\":{\"n\":%d}}";

	private static final String JSON = "application/json";

	private static final String STREAM = "text/event-stream";

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final HttpServer server;

	/** The requests for streams, and those for states. */
	final List<Asked> streams = new CopyOnWriteArrayList<>();

	final List<Asked> states = new CopyOnWriteArrayList<>();

	/** The streams that were opened. */
	final List<HttpExchange> open = new CopyOnWriteArrayList<>();

	volatile HttpHandler events = this::stream;

	volatile HttpHandler state = LiveServer::nine;

	private LiveServer(HttpServer server) {
		this.server = server;
	}

	static LiveServer start() throws IOException {
		LiveServer live = new LiveServer(
				HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
		live.serve();
		return live;
	}

	private void serve() throws IOException {
		this.server.setExecutor(this.threads);
		file("/live-rounds.html", "/live/live-rounds.html", "text/html");
		file("/live-rounds.js", "/live/live-rounds.js", "text/javascript");
		file("/eventing-live.js", "/META-INF/eventing/live/eventing-live.js", "text/javascript");
		this.server.createContext("/login", answer(200, "text/html", "<p>Who are you?</p>"));
		this.server.createContext("/events", (exchange) -> {
			this.streams.add(Asked.of(exchange));
			this.events.handle(exchange);
		});
		this.server.createContext("/state", (exchange) -> {
			this.states.add(Asked.of(exchange));
			this.state.handle(exchange);
		});
		this.server.start();
	}

	private void file(String path, String resource, String type) throws IOException {
		try (InputStream file = LiveServer.class.getResourceAsStream(resource)) {
			String content = new String(file.readAllBytes(), StandardCharsets.UTF_8);
			this.server.createContext(path, answer(200, type, content));
		}
	}

	/** As it was started, for another test. */
	void clear() {
		this.events = this::stream;
		this.state = LiveServer::nine;
		this.streams.clear();
		this.states.clear();
		this.open.clear();
	}

	/** The address of a page that has the module. */
	String page() {
		return "http://127.0.0.1:" + this.server.getAddress().getPort() + "/live-rounds.html";
	}

	/** Opens a stream. */
	void stream(HttpExchange exchange) throws IOException {
		silent(exchange);
		this.open.add(exchange);
	}

	/** Answers with a stream that brings nothing. */
	static void silent(HttpExchange exchange) throws IOException {
		exchange.getResponseHeaders().set("Content-Type", STREAM);
		exchange.sendResponseHeaders(200, 0);
	}

	/** Answers with the version 1.9. */
	static void nine(HttpExchange exchange) throws IOException {
		answer(200, JSON, STATE.formatted(9, 9)).handle(exchange);
	}

	static HttpHandler answer(int status, String type, String content) {
		return (exchange) -> {
			byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
			exchange.getResponseHeaders().set("Content-Type", type);
			exchange.sendResponseHeaders(status, bytes.length);
			exchange.getResponseBody().write(bytes);
			exchange.close();
		};
	}

	/** Sends to a page, as a server does where the session has expired. */
	static HttpHandler redirect(String path) {
		return (exchange) -> {
			exchange.getResponseHeaders().set("Location", path);
			exchange.sendResponseHeaders(302, -1);
			exchange.close();
		};
	}

	void awaitStreams(int count) {
		Awaitility.await().until(() -> this.open.size() >= count);
	}

	/** Writes to the last stream. */
	void send(String text) throws IOException {
		OutputStream last = last().getResponseBody();
		last.write(text.getBytes(StandardCharsets.UTF_8));
		last.flush();
	}

	/** Ends the last stream. */
	void end() {
		last().close();
	}

	private HttpExchange last() {
		return this.open.get(this.open.size() - 1);
	}

	@Override
	public void close() {
		this.server.stop(0);
		this.threads.shutdownNow();
	}

	/**
	 * A request.
	 *
	 * @param query as it was sent
	 * @param position what the client has, or null
	 * @param authorization the header, or null
	 */
	record Asked(String query, String position, String authorization) {

		static Asked of(HttpExchange exchange) {
			return new Asked(exchange.getRequestURI().getRawQuery(),
					exchange.getRequestHeaders().getFirst("Last-Event-ID"),
					exchange.getRequestHeaders().getFirst("Authorization"));
		}

	}

}
