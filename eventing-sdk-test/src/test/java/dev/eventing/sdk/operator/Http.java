package dev.eventing.sdk.operator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A client that sends what a test gives it, and follows no redirect. */
final class Http {

	private static final JsonMapper JSON = JsonMapper.shared();

	private final int port;

	private final HttpClient client;

	private final Map<String, String> headers;

	Http(int port) {
		this(port, Map.of());
	}

	private Http(int port, Map<String, String> headers) {
		this.port = port;
		this.headers = headers;
		this.client = HttpClient.newBuilder().cookieHandler(new CookieManager()).build();
	}

	/** The same, with a header more. */
	Http with(String name, String value) {
		Map<String, String> all = new LinkedHashMap<>(this.headers);
		all.put(name, value);
		return new Http(this.port, all);
	}

	/** The same, logged in. */
	Http as(String user, String password) {
		return with("Authorization", "Basic "
				+ Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8)));
	}

	Answer get(String path) {
		return send(request(path).GET());
	}

	Answer post(String path, Map<String, ?> body) {
		return post(path, "application/json", JSON.writeValueAsString(body));
	}

	Answer post(String path, String type, String body) {
		return send(request(path).header("Content-Type", type).POST(BodyPublishers.ofString(body)));
	}

	private HttpRequest.Builder request(String path) {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + this.port + path));
		this.headers.forEach(request::header);
		return request;
	}

	/** In the session of the answer before. */
	Answer post(String path, Map<String, ?> body, Map<String, String> more) {
		HttpRequest.Builder request = request(path).header("Content-Type", "application/json")
			.POST(BodyPublishers.ofString(JSON.writeValueAsString(body)));
		more.forEach(request::header);
		return send(request);
	}

	private Answer send(HttpRequest.Builder request) {
		try {
			return new Answer(this.client.send(request.build(), BodyHandlers.ofString()));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** The response. */
	record Answer(HttpResponse<String> response) {

		int status() {
			return this.response.statusCode();
		}

		String text() {
			return this.response.body();
		}

		JsonNode json() {
			return JSON.readTree(text());
		}

		String header(String name) {
			return this.response.headers().firstValue(name).orElse("");
		}

	}

}
