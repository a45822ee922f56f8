package dev.eventing.sdk.projector.rebuild;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.projection.ledger.GenerationLedger.Code;
import dev.eventing.sdk.projection.ledger.GenerationLedger.Live;
import dev.eventing.sdk.projector.HandlerMethod;
import dev.eventing.sdk.projector.NewHandlersPolicy;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.StateForm;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * How a version that a node has differs from what fed the live generation, as one line
 * for the log.
 *
 * @param live the live generation, with what fed it
 * @param version the version of the node
 * @param definition what that version handles
 * @param newHandlers what becomes of events that were skipped before
 * @param otherStates how its states differ from those of its own version; null if they do
 * not
 */
record DefinitionChange(Live live, int version, String definition, NewHandlersPolicy newHandlers,
		@Nullable String otherStates) {

	/** The most handled types that a line names. */
	private static final int MOST_NAMES = 10;

	private static final String BETWEEN_HANDLERS = "; ";

	/**
	 * The differences of a node: of its code for the version of the live generation, and
	 * of its newest version.
	 * @param versions the projector as the node has it, by version
	 */
	static List<DefinitionChange> of(Live live, NavigableMap<Integer, ProjectorEndpoint> versions) {
		ProjectorEndpoint feeding = versions.get(live.code().version());
		Live fed = (feeding != null) ? new Live(live.generation(), ProjectorDefinition.code(feeding), false) : live;
		return Stream
			.concat(Stream.ofNullable(feeding).map((each) -> of(live, each)),
					Stream.of(of(fed, versions.lastEntry().getValue())))
			.filter((each) -> each.isOfAnotherVersion() || !each.handlesTheSame() || each.otherStates() != null)
			.toList();
	}

	private static DefinitionChange of(Live live, ProjectorEndpoint version) {
		Code code = live.code();
		Live ofEvents = new Live(live.generation(),
				new Code(code.version(), StateForm.without(code.definition()), code.tables()), false);
		return new DefinitionChange(ofEvents, version.readModel().version(), ProjectorDefinition.ofEvents(version),
				version.setting(ProjectorSettings::newHandlers), otherStates(live, version));
	}

	private static @Nullable String otherStates(Live live, ProjectorEndpoint version) {
		return (live.code().version() == version.readModel().version()) ? ProjectorDefinition.otherStates(version, live)
				: null;
	}

	private boolean handlesTheSame() {
		return this.definition.equals(this.live.code().definition());
	}

	private boolean isOfAnotherVersion() {
		return this.version != this.live.code().version();
	}

	/**
	 * The event types that only the node's version handles. Empty if it also handles
	 * something new that has no such name: a known type on another subject, or all other
	 * types.
	 */
	List<String> newTypes() {
		Set<Handled> before = handled(this.live.code().definition());
		List<String> known = before.stream().map(Handled::type).toList();
		List<Handled> added = added();
		boolean countable = added.stream().noneMatch((each) -> each.isAny() || known.contains(each.type()));
		return (countable && !known.contains(HandlerMethod.ANY_TYPE))
				? added.stream().map(Handled::type).distinct().toList() : List.of();
	}

	private List<Handled> added() {
		return minus(this.definition, this.live.code().definition());
	}

	private static List<Handled> minus(String definition, String other) {
		Set<Handled> handled = handled(definition);
		handled.removeAll(handled(other));
		return List.copyOf(handled);
	}

	/** Reads what {@link ProjectorDefinition} wrote; its last part is the order. */
	private static Set<Handled> handled(String definition) {
		List<String> parts = List.of(definition.split(BETWEEN_HANDLERS));
		Set<Handled> all = new LinkedHashSet<>();
		for (String handler : parts.subList(0, parts.size() - 1)) {
			String[] named = handler.split(" ", 2);
			Arrays.stream(named[named.length - 1].split(", "))
				.map((type) -> new Handled(named[0], type))
				.forEach(all::add);
		}
		return all;
	}

	private boolean hasAnotherOrder() {
		return !order(this.definition).equals(order(this.live.code().definition()));
	}

	private static String order(String definition) {
		return definition.substring(definition.lastIndexOf(BETWEEN_HANDLERS) + 1);
	}

	/**
	 * The line.
	 * @param old what is known of the events of the new types before the live
	 * generation's position, as a sentence without its end; null if nothing is
	 */
	String describe(ProjectorId projector, @Nullable String old) {
		if (this.otherStates != null) {
			return this.otherStates;
		}
		String change = difference() + ((old != null && !added().isEmpty()) ? ": " + old + "." : ".");
		if (!isOfAnotherVersion()) {
			return "Projector '%s' %s %s".formatted(projector, change, consequence(projector));
		}
		int feeding = this.live.code().version();
		String versions = "Projector '%s' has version %s here. Its live generation %s is of version %s, which alone feeds it. "
			.formatted(projector, this.version, this.live.generation(), feeding);
		if (this.version < feeding) {
			return versions + "Deploy version %s on this node, too.".formatted(feeding);
		}
		String beside = "build version %s beside it ('eventing projection rebuild %s'), and switch to it."
			.formatted(this.version, projector);
		return versions + (handlesTheSame() ? StringUtils.capitalize(beside)
				: "Version %s %s Let version %s handle the same, if with methods that do nothing. Then %s"
					.formatted(this.version, change, feeding, beside));
	}

	private String difference() {
		List<String> parts = new ArrayList<>();
		List<Handled> removed = minus(this.live.code().definition(), this.definition);
		if (!removed.isEmpty()) {
			parts.add("no longer handles " + names(removed));
		}
		if (hasAnotherOrder()) {
			parts.add("keeps another order (" + order(this.definition).strip() + ")");
		}
		if (!added().isEmpty()) {
			parts.add("handles " + names(added()) + ", which generation " + this.live.generation()
					+ (isOfAnotherVersion() ? " does not" : " did not"));
		}
		return String.join(", and ", parts);
	}

	private String names(List<Handled> handled) {
		List<String> known = handled(this.live.code().definition()).stream().map(Handled::type).toList();
		String first = handled.stream()
			.limit(MOST_NAMES)
			.map((each) -> each.name(known.contains(each.type())))
			.collect(Collectors.joining(", "));
		return (handled.size() <= MOST_NAMES) ? first : first + " and " + (handled.size() - MOST_NAMES) + " more";
	}

	private String consequence(ProjectorId projector) {
		String rebuild = " 'eventing projection rebuild " + projector + "' builds the read model as if it always had.";
		if (added().isEmpty()) {
			return "What it has applied stays." + rebuild;
		}
		return switch (this.newHandlers) {
			case FROM_NOW -> "It leaves out the earlier ones." + rebuild;
			case REFUSE -> "It does not run if it has skipped some: set new-handlers to decide about them.";
			default -> "It handles those that it skipped now, after later events of their keys." + rebuild;
		};
	}

	/** A number with separators of thousands. */
	static String number(long number) {
		return String.format(Locale.ROOT, "%,d", number);
	}

	/**
	 * The events that a handler takes.
	 *
	 * @param subject the subjects
	 * @param type the event type
	 */
	private record Handled(String subject, String type) {

		boolean isAny() {
			return HandlerMethod.ANY_TYPE.equals(this.type);
		}

		String name(boolean withSubject) {
			String name = isAny() ? "all other types" : "'" + this.type + "'";
			return (withSubject || isAny()) ? name + " on '" + this.subject + "'" : name;
		}

	}

}
