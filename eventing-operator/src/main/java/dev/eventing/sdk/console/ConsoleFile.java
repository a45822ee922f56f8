package dev.eventing.sdk.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;

import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * A file of the page. The list of files is fixed, so no request path ever becomes a file
 * name.
 */
final class ConsoleFile {

	static final String FOLDER = "/META-INF/eventing/console/";

	private final String path;

	private final MediaType type;

	private final byte[] content;

	private ConsoleFile(String path, String name, String type) {
		this.path = path;
		this.type = MediaType.parseMediaType(type);
		this.content = read(name);
	}

	/** All files. */
	static List<ConsoleFile> all() {
		return List.of(new ConsoleFile("", "console.html", "text/html;charset=UTF-8"),
				new ConsoleFile("console.js", "console.js", "text/javascript;charset=UTF-8"),
				new ConsoleFile("console.css", "console.css", "text/css;charset=UTF-8"),
				new ConsoleFile("console.svg", "console.svg", "image/svg+xml"));
	}

	private static byte[] read(String name) {
		try (InputStream file = ConsoleFile.class.getResourceAsStream(FOLDER + name)) {
			if (file == null) {
				throw new IllegalStateException("'" + FOLDER + name + "' is not on the class path");
			}
			return file.readAllBytes();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** The path relative to the page. */
	String path() {
		return this.path;
	}

	ServerResponse response() {
		// Not cached without a check, so that a page never uses the script of another
		// version.
		return Responses.guarded(ServerResponse.ok())
			.header("Cache-Control", "no-cache")
			.contentType(this.type)
			.body(this.content);
	}

}
