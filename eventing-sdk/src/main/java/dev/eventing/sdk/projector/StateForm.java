package dev.eventing.sdk.projector;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * The properties of states that a read model keeps as JSON, at any depth. They are part
 * of what code tells of itself: code with other properties would drop those that it does
 * not know from each state that it changes, and begin its own in the midst of a history.
 *
 * @param properties their paths, such as {@code lines[].sku}, in order
 */
public record StateForm(List<String> properties) {

	private static final String BEGIN = " with states of (";

	private static final String END = ")";

	private static final String BETWEEN = ", ";

	/** Would make the text ambiguous. */
	private static final Pattern DELIMITERS = Pattern.compile("[\\s(),]");

	/** A message names no more. */
	private static final int MOST_NAMES = 10;

	public StateForm {
		properties = properties.stream()
			.map((each) -> DELIMITERS.matcher(each).replaceAll("_"))
			.distinct()
			.sorted()
			.toList();
	}

	/** As a part of a definition. */
	public String inDefinition() {
		return BEGIN + String.join(BETWEEN, this.properties) + END;
	}

	/** The one in a definition; null if there is none. */
	public static @Nullable StateForm of(String definition) {
		int begin = definition.lastIndexOf(BEGIN);
		int end = definition.lastIndexOf(END);
		if (begin < 0 || end < begin) {
			return null;
		}
		String properties = definition.substring(begin + BEGIN.length(), end);
		return new StateForm(properties.isEmpty() ? List.of() : List.of(properties.split(BETWEEN)));
	}

	/** The rest of a definition. */
	public static String without(String definition) {
		int begin = definition.lastIndexOf(BEGIN);
		int end = definition.lastIndexOf(END);
		return (begin < 0 || end < begin) ? definition
				: definition.substring(0, begin) + definition.substring(end + END.length());
	}

	/**
	 * How code differs from the states that other code has stored, as half a sentence;
	 * null if it does not, or if one of the forms is not known.
	 * @param code the form of the code's states
	 * @param definition the definition of the code that has stored them
	 */
	public static @Nullable String difference(@Nullable StateForm code, String definition) {
		StateForm stored = of(definition);
		return (code != null && stored != null && !code.equals(stored)) ? code.differenceFrom(stored) : null;
	}

	private String differenceFrom(StateForm stored) {
		List<String> parts = new ArrayList<>();
		List<String> added = minus(stored);
		if (!added.isEmpty()) {
			parts.add("has " + names(added) + ", which they lack");
		}
		List<String> lost = stored.minus(this);
		if (!lost.isEmpty()) {
			parts.add("lacks " + names(lost) + ", which they have");
		}
		return String.join(", and ", parts);
	}

	private List<String> minus(StateForm other) {
		return this.properties.stream().filter((each) -> !other.properties.contains(each)).toList();
	}

	private static String names(List<String> properties) {
		String first = properties.stream()
			.limit(MOST_NAMES)
			.map((each) -> "'" + each + "'")
			.collect(Collectors.joining(BETWEEN));
		return (properties.size() <= MOST_NAMES) ? first : first + " and " + (properties.size() - MOST_NAMES) + " more";
	}

}
