package dev.eventing.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The English of a Java file: its comments, each as one line without markup, and its
 * longer texts. SQL and other text blocks are left out.
 */
final class JavaProse {

	private static final Pattern TOKEN = Pattern.compile("""
			(?<block>\"""(?:[^"\\\\]++|\\\\.|"(?!""))*+\""")|(?<text>"(?:[^"\\\\\\n]++|\\\\.)*+")\
			|(?<char>'(?:[^'\\\\\\n]|\\\\.)++')|(?<comments>/\\*(?:[^*]++|\\*(?!/))*+\\*/|(?://[^\\n]*+\\n\\s*+)++)""",
			Pattern.DOTALL);

	/** Shorter texts are names, codes and parts of others. */
	private static final int WORDS_OF_A_SENTENCE = 5;

	private JavaProse() {
	}

	/**
	 * The comments of a file.
	 * @param source the file's text
	 * @return a line for each comment; consecutive ones of the form {@code //} are one
	 */
	static List<String> comments(String source) {
		return tokens(source, "comments").stream().map(JavaProse::withoutMarkup).toList();
	}

	/**
	 * The texts of a file that are long enough to be sentences, such as those of logs and
	 * exceptions.
	 * @param source the file's text
	 * @return a line for each text, as it stands in the file
	 */
	static List<String> texts(String source) {
		return tokens(source, "text").stream().filter((text) -> words(text) >= WORDS_OF_A_SENTENCE).toList();
	}

	/**
	 * The number of words.
	 * @param line a line of text
	 * @return how many words it has
	 */
	static int words(String line) {
		return (int) Pattern.compile("[A-Za-z']+").matcher(line).results().count();
	}

	private static List<String> tokens(String source, String kind) {
		List<String> found = new ArrayList<>();
		Matcher tokens = TOKEN.matcher(source);
		while (tokens.find()) {
			if (tokens.group(kind) != null) {
				found.add(tokens.group(kind));
			}
		}
		return found;
	}

	private static String withoutMarkup(String comment) {
		return comment.replaceAll("(?m)^\\s*(?:/\\*+|//|\\*/?)", " ")
			.replaceAll("\\*/$", "")
			.replaceAll("\\{@\\w+\\s+([^}]*)\\}", "$1")
			.replaceAll("<[^>]+>", "")
			.replaceAll("\\s+", " ")
			.strip();
	}

}
