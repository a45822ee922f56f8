package dev.eventing.sdk.liveview.web;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.ServerResponse;

/** The module for browsers. */
final class LiveScript {

	static final String FILE = "/META-INF/eventing/live/eventing-live.js";

	/** Its path below that of live views. */
	static final String PATH = "/eventing-live.js";

	private final byte[] content = read();

	private static byte[] read() {
		try (InputStream file = LiveScript.class.getResourceAsStream(FILE)) {
			if (file == null) {
				throw new IllegalStateException("'" + FILE + "' is not on the class path");
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
