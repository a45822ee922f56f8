package dev.eventing.sdk.liveview.web;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.ServerResponse;

/** A module for browsers. */
final class LiveScript {

	/** What pages import. */
	static final String CLIENT = "/eventing-live.js";

	/** What pages with a connection to NATS import besides. */
	static final String OVER_NATS = "/eventing-live-nats.js";

	/** Where they are on the class path. */
	static final String FOLDER = "/META-INF/eventing/live";

	private final byte[] content;

	/**
	 * Reads a module.
	 * @param path below that of live views
	 */
	LiveScript(String path) {
		this.content = read(FOLDER + path);
	}

	private static byte[] read(String name) {
		try (InputStream file = LiveScript.class.getResourceAsStream(name)) {
			if (file == null) {
				throw new IllegalStateException("'" + name + "' is not on the class path");
			}
			return file.readAllBytes();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	ServerResponse response() {
		// Not cached without a check, so that a page does not use the module of another
		// version.
		return ServerResponse.ok()
			.header("Cache-Control", "no-cache")
			.header("X-Content-Type-Options", "nosniff")
			.contentType(MediaType.parseMediaType("text/javascript;charset=UTF-8"))
			.body(this.content);
	}

}
