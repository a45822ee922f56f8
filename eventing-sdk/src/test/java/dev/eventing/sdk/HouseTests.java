package dev.eventing.sdk;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Sizes that keep a class readable. Classes over a limit stand here by name until they
 * are cut. No class may join them.
 */
class HouseTests {

	private static final int LINES_OF_A_FILE = 350;

	private static final int LINES_OF_A_METHOD = 30;

	private static final int PARAMETERS_OF_A_CONSTRUCTOR = 7;

	private static final int PARAMETERS_OF_A_METHOD = 7;

	/** With the most lines that each may have: none of them grows. */
	private static final Map<String, Long> LONG_FILES = Map.of("projector/delivery/InFlight", 363L,
			"projector/feed/jetstream/FillingFeed", 358L, "worker/SupervisedWorker", 367L);

	private static final Set<String> LONG_METHODS = Set.of("deadletter/ledger/LetterDiscards.LetterDiscards.release",
			"deadletter/ledger/NewLetterRows.NewLetterRows.insert",
			"idempotency/ProcessedEvents.ProcessedEvents.<init>",
			"observability/EventingHealthIndicator.EventingHealthIndicator.doHealthCheck",
			"observability/ProjectorMetrics.Binding.bind", "projection/ledger/ControlLedger.ControlLedger.decisions",
			"projection/ledger/RequestLedger.RequestLedger.add",
			"projection/reconcile/TableComparison.TableComparison.differences",
			"projector/container/ProjectorAssembly.ProjectorAssembly.<init>", "projector/feed/Intake.Intake.feed");

	private static final Set<String> LARGE_CONSTRUCTORS = Set.of();

	private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|//[^\\n]*");

	private static final Pattern REFERENCE = Pattern
		.compile("(?:\\{@link(?:plain)?|@see|@throws|\\{@value)\\s+([\\w.]+)(?:#\\w+)?(\\([^)]*\\))?");

	private static final Pattern WORD = Pattern.compile("\\w+");

	/** Such as {@code %d}, {@code %1$d} and {@code %,.1f}. */
	private static final Pattern NUMBER = Pattern.compile("%(?:\\d+\\$)?[-#+0,(]*\\d*(?:\\.\\d+)?[df]");

	private static final List<Source> SOURCES = Source.ofTheSdk();

	@Test
	void aFileHasOneReasonToChange() {
		Map<String, Long> found = new TreeMap<>();
		for (Source source : SOURCES) {
			long lines = source.text().lines().count();
			if (lines > LINES_OF_A_FILE) {
				found.put(source.name(), lines);
			}
		}
		assertThat(found.keySet()).as("files of more than %d lines; ask what hides in them", LINES_OF_A_FILE)
			.isEqualTo(LONG_FILES.keySet());
		assertThat(found).as("long files with their lines; these may not grow")
			.allSatisfy((name, lines) -> assertThat(lines).as(name).isLessThanOrEqualTo(LONG_FILES.get(name)));
	}

	@Test
	void aMethodFitsOnAScreen() {
		assertThat(methods((source, type, method) -> source.lines(method) > LINES_OF_A_METHOD))
			.as("methods of more than %d lines; name their steps", LINES_OF_A_METHOD)
			.isEqualTo(new TreeSet<>(LONG_METHODS));
	}

	@Test
	void aConstructorTakesWhatTheClassNeeds() {
		assertThat(methods((source, type, method) -> method.getReturnType() == null
				&& type.getKind() != Tree.Kind.RECORD && method.getParameters().size() > PARAMETERS_OF_A_CONSTRUCTOR))
			.as("constructors of more than %d parameters; some belong together", PARAMETERS_OF_A_CONSTRUCTOR)
			.isEqualTo(new TreeSet<>(LARGE_CONSTRUCTORS));
	}

	@Test
	void aMethodTakesWhatBelongsTogether() {
		assertThat(methods((source, type, method) -> method.getReturnType() != null
				&& method.getParameters().size() > PARAMETERS_OF_A_METHOD))
			.as("methods of more than %d parameters; some are a record, and some of a bean method are a bean",
					PARAMETERS_OF_A_METHOD)
			.isEmpty();
	}

	/** One that only a word of a comment needs draws an arrow that is none. */
	@Test
	void everyImportIsUsed() {
		List<String> found = new ArrayList<>();
		for (Source source : Source.ofTheProject()) {
			String code = COMMENT.matcher(source.text()).replaceAll("").replaceAll("(?m)^import .*$", "");
			Set<String> references = new TreeSet<>();
			Matcher reference = REFERENCE.matcher(source.text());
			while (reference.find()) {
				Matcher word = WORD.matcher(reference.group(1) + " " + reference.group(2));
				while (word.find()) {
					references.add(word.group());
				}
			}
			for (ImportTree each : source.unit().getImports()) {
				String name = each.getQualifiedIdentifier().toString();
				String simple = name.substring(name.lastIndexOf('.') + 1);
				if (!Pattern.compile("\\b" + simple + "\\b").matcher(code).find() && !references.contains(simple)) {
					found.add(source.name() + " imports " + name);
				}
			}
		}
		assertThat(found).as("imports that nothing uses; remove them").isEmpty();
	}

	/**
	 * Arabic, Persian, Marathi and other languages have digits that SQL, regular
	 * expressions and the configuration of a server do not know.
	 */
	@Test
	void noNumberIsWrittenInTheDigitsOfTheLocale() {
		List<String> found = new ArrayList<>();
		for (Source source : Source.ofTheLibraries()) {
			source.textsOfAnyLocale((text) -> {
				if (NUMBER.matcher(text).find()) {
					found.add(source.name() + ": " + text);
				}
			});
		}
		assertThat(found).as("texts with the digits of the locale; format numbers as strings, or with Locale.ROOT")
			.isEmpty();
	}

	private static Set<String> methods(MethodRule rule) {
		Set<String> found = new TreeSet<>();
		for (Source source : SOURCES) {
			source.types((type) -> type.getMembers().forEach((member) -> {
				if (member instanceof MethodTree method && rule.matches(source, type, method)) {
					found.add(source.name() + "." + type.getSimpleName() + "." + method.getName());
				}
			}));
		}
		return found;
	}

	private interface MethodRule {

		boolean matches(Source source, ClassTree type, MethodTree method);

	}

}
