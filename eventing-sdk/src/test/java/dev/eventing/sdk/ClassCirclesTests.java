package dev.eventing.sdk;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Classes of a package that name each other in a circle must be read and changed as one
 * class. A nested class counts as its file.
 */
class ClassCirclesTests {

	/** The known circles, each with its reason. */
	private static final Map<String, String> KNOWN = Map.of(
			"deadletter: DeadLetter, DeadLetterSummary, IdentifiedLetter", "a sealed type names its kinds",
			"event: Event, EventBuilder, EventContext",
			"Event.builder begins an event, and EventContext.causedBy takes one");

	@Test
	void classesOfAPackageNameEachOtherInOneDirection() {
		Map<String, String> found = new TreeMap<>();
		packages().forEach((name, classes) -> circles(classes)
			.forEach((circle) -> found.put(name + ": " + String.join(", ", circle), arrows(circle, classes))));
		assertThat(found.keySet()).as("""
				circles of classes in a package. Consider for a new one: to pass what is asked back as an argument, or \
				to move what both need to the lower class or to a class of its own. A circle that no longer stands \
				leaves the list. What ties each circle: %s""", found).isEqualTo(new TreeSet<>(KNOWN.keySet()));
	}

	/** By package and class, the other classes of the package that it names. */
	private static Map<String, Map<String, Set<String>>> packages() {
		Map<String, Map<String, Set<String>>> packages = new TreeMap<>();
		List<Source> sources = Source.ofTheSdk();
		sources.forEach((source) -> packages.computeIfAbsent(packageOf(source), (name) -> new TreeMap<>())
			.put(classOf(source), source.namesOfItsPackage()));
		packages.values().forEach((classes) -> classes.forEach((name, named) -> {
			named.retainAll(classes.keySet());
			named.remove(name);
		}));
		return packages;
	}

	/** The largest sets of classes each of which leads to all others of its set. */
	private static Set<Set<String>> circles(Map<String, Set<String>> classes) {
		Set<Set<String>> circles = new HashSet<>();
		for (String name : classes.keySet()) {
			Set<String> circle = reachedFrom(name, classes);
			if (circle.contains(name)) {
				circle.removeIf((other) -> !reachedFrom(other, classes).contains(name));
				circles.add(circle);
			}
		}
		return circles;
	}

	private static Set<String> reachedFrom(String name, Map<String, Set<String>> classes) {
		Set<String> reached = new TreeSet<>();
		Deque<String> left = new ArrayDeque<>(classes.get(name));
		while (!left.isEmpty()) {
			String next = left.pop();
			if (reached.add(next)) {
				left.addAll(classes.get(next));
			}
		}
		return reached;
	}

	private static String arrows(Set<String> circle, Map<String, Set<String>> classes) {
		Map<String, Set<String>> arrows = new TreeMap<>();
		for (String name : circle) {
			Set<String> named = new TreeSet<>(classes.get(name));
			named.retainAll(circle);
			arrows.put(name, named);
		}
		return arrows.toString();
	}

	private static String packageOf(Source source) {
		int end = source.name().lastIndexOf('/');
		return (end < 0) ? "" : source.name().substring(0, end);
	}

	private static String classOf(Source source) {
		return source.name().substring(source.name().lastIndexOf('/') + 1);
	}

}
