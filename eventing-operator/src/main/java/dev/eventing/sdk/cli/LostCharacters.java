package dev.eventing.sdk.cli;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Finds arguments that the JVM could not decode. In a locale such as POSIX it knows ASCII
 * only, and puts a question mark in place of each other byte. Such an id would be another
 * one.
 */
final class LostCharacters {

	/** Where Linux has the command line of the process, as bytes. */
	private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");

	private LostCharacters() {
	}

	/**
	 * Describes the first argument that was not decoded; null if all were, or if the
	 * system does not tell the bytes.
	 * @param arguments the number of arguments that the program has got
	 */
	static @Nullable String describe(int arguments) {
		try {
			return describe(Files.readAllBytes(COMMAND_LINE), arguments,
					Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8")));
		}
		catch (IOException | IllegalArgumentException ex) {
			return null; // not Linux, or an unknown encoding
		}
	}

	/**
	 * Looks at the last arguments of a command line: those before are the JVM's.
	 * @param commandLine arguments that each end with a zero byte
	 */
	static @Nullable String describe(byte[] commandLine, int arguments, Charset encoding) {
		List<byte[]> all = split(commandLine);
		for (int at = Math.max(0, all.size() - arguments); at < all.size(); at++) {
			try {
				encoding.newDecoder().decode(ByteBuffer.wrap(all.get(at)));
			}
			catch (CharacterCodingException ex) {
				return "The argument '" + Terminal.printable(new String(all.get(at), StandardCharsets.UTF_8))
						+ "' has characters that the locale of this process does not have: its encoding is "
						+ encoding.name() + ". Consider the environment variable LC_ALL=C.UTF-8, or another LANG.";
			}
		}
		return null;
	}

	private static List<byte[]> split(byte[] commandLine) {
		List<byte[]> parts = new ArrayList<>();
		int begin = 0;
		for (int at = 0; at < commandLine.length; at++) {
			if (commandLine[at] == 0) {
				parts.add(Arrays.copyOfRange(commandLine, begin, at));
				begin = at + 1;
			}
		}
		return parts;
	}

}
