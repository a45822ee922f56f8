package dev.eventing.sdk.guarantees;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.awaitility.Awaitility.await;

/** Asks for streams and states as a browser does. */
final class BrowserClient {

	private static final HttpClient HTTP = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private final int port;

	private final @Nullable String user;

	BrowserClient(int port, @Nullable String user) {
		this.port = port;
		this.user = user;
	}

	/** Asks for a path below that of live views. */
	HttpResponse<String> get(String path) {
		return send(request(path), BodyHandlers.ofString());
	}

	/** Opens a stream of keys of one view. */
	Stream open(String view, String... keys) {
		return resume(null, view, keys);
	}

	/** Opens a stream as a client that has got an event with this id. */
	Stream resume(@Nullable String lastEventId, String view, String... keys) {
		HttpRequest.Builder request = request("events" + query(view, keys));
		if (lastEventId != null) {
			request.header("Last-Event-ID", lastEventId);
		}
		return new Stream(send(request, BodyHandlers.ofInputStream()));
	}

	/** Opens a stream by its path below that of live views. */
	Stream openPath(String path) {
		return new Stream(send(request(path), BodyHandlers.ofInputStream()));
	}

	/** The query that names keys of one view. */
	static String query(String view, String... keys) {
		StringBuilder query = new StringBuilder("?view=" + encode(view));
		for (String key : keys) {
			query.append("&key=").append(encode(key));
		}
		return query.toString();
	}

	private static String encode(String text) {
		return URLEncoder.encode(text, StandardCharsets.UTF_8);
	}

	private HttpRequest.Builder request(String path) {
		HttpRequest.Builder request = HttpRequest
			.newBuilder(URI.create("http://127.0.0.1:" + this.port + "/eventing/live/" + path));
		if (this.user != null) {
			String login = this.user + ":" + this.user;
			request.header("Authorization",
					"Basic " + Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8)));
		}
		return request;
	}

	private static <T> HttpResponse<T> send(HttpRequest.Builder request, HttpResponse.BodyHandler<T> handler) {
		try {
			return HTTP.send(request.build(), handler);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * An event of a stream.
	 *
	 * @param name its name, or empty
	 * @param id its id, or empty
	 * @param data its data, or empty
	 * @param comment its comment, or empty
	 */
	record Event(String name, String id, String data, String comment) {

		JsonNode json() {
			return JsonMapper.shared().readTree(this.data);
		}

		/** The key, the version, and what leads to it. */
		String text() {
			JsonNode json = json();
			String what = json.has("state") ? "state" : json.has("patch") ? "patch" : "status";
			return this.name + " " + json.path("key").asString() + " " + json.path("version").asString("-") + " "
					+ json.path(what);
		}

	}

	/** A stream that is read until one side ends it. */
	static final class Stream implements AutoCloseable {

		final HttpResponse<InputStream> response;

		final List<Event> events = new CopyOnWriteArrayList<>();

		volatile int retry;

		volatile boolean ended;

		private Stream(HttpResponse<InputStream> response) {
			this.response = response;
			Thread reader = new Thread(this::read, "browser-client");
			reader.setDaemon(true);
			reader.start();
		}

		private void read() {
			try (BufferedReader lines = new BufferedReader(
					new InputStreamReader(this.response.body(), StandardCharsets.UTF_8))) {
				Event event = new Event("", "", "", "");
				for (String line = lines.readLine(); line != null; line = lines.readLine()) {
					if (line.isEmpty()) {
						this.events.add(event);
						event = new Event("", "", "", "");
					}
					else {
						event = with(event, line);
					}
				}
			}
			catch (IOException ex) {
				// As when it ends.
			}
			this.ended = true;
		}

		private Event with(Event event, String line) {
			String value = line.substring(line.indexOf(':') + 1).strip();
			return switch (line.substring(0, line.indexOf(':'))) {
				case "event" -> new Event(value, event.id, event.data, event.comment);
				case "id" -> new Event(event.name, value, event.data, event.comment);
				case "data" -> new Event(event.name, event.id, event.data + value, event.comment);
				case "retry" -> {
					this.retry = Integer.parseInt(value);
					yield event;
				}
				default -> new Event(event.name, event.id, event.data, value);
			};
		}

		/** The frames so far, without what tells the status. */
		List<String> frames() {
			return this.events.stream()
				.filter((event) -> !event.data.isEmpty() && !event.name.equals("live-status"))
				.map(Event::text)
				.toList();
		}

		/** The id of the last event that had one. */
		String lastId() {
			return this.events.stream().map(Event::id).filter((id) -> !id.isEmpty()).reduce("", (a, b) -> b);
		}

		/** Waits until the client has this of each key. */
		Stream awaitId(String id) {
			await().until(() -> lastId().equals(id));
			return this;
		}

		@Override
		public void close() {
			try {
				this.response.body().close();
			}
			catch (IOException ex) {
				// It is closed.
			}
		}

	}

}
