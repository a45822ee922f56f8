package dev.eventing.sdk.cli;

import java.util.ArrayList;
import java.util.List;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** Reads every stored event with the application's code, without its handlers. */
@Command(name = "verify",
		description = { "Reads every stored event with the code of an application, without handlers.",
				"Lists the events that no longer bind to a class. Changes nothing." },
		exitCodeListHeading = "%nExit codes:%n", exitCodeList = { "0:each event of a known type binds",
				"1:an error, described in one line", "2:usage error", "9:events do not bind" })
final class EventsVerifyCommand extends ApplicationCommand {

	@Option(names = "--from", paramLabel = "POSITION", order = 2,
			description = "The first position (default: that of the first event).")
	private long from;

	@Option(names = "--positions", paramLabel = "N", order = 3,
			description = "How many positions are listed for each type (default: 20).")
	private int positions = 20;

	EventsVerifyCommand(Terminal terminal) {
		super(terminal);
	}

	@Override
	String command() {
		return "verify-events";
	}

	@Override
	List<String> properties() {
		if (this.from < 0 || this.positions < 1) {
			throw new UsageException("--from must not be negative, and --positions must be at least 1.");
		}
		return List.of("from=" + this.from, "positions=" + this.positions);
	}

	@Override
	void print(JsonNode result) {
		JsonNode unbound = result.path("unbound");
		if (!unbound.isEmpty()) {
			Table table = new Table("TYPE", "VERSION", "EVENTS", "FIRST POSITIONS");
			unbound.forEach((each) -> table.row(each.path("type").asString(), each.path("version").asInt(),
					each.path("events").asLong(), joined(each.path("positions"))));
			table.print(terminal());
			unbound.forEach((each) -> terminal()
				.line(Terminal.printable(each.path("type").asString() + ": " + each.path("problem").asString())));
		}
		JsonNode unknown = result.path("unknownTypes");
		if (!unknown.isEmpty()) {
			terminal().line("No class for, so not verified: " + Terminal.printable(joined(unknown)));
		}
		terminal().line("%d events read up to position %d. %s".formatted(result.path("events").asLong(),
				result.path("upTo").asLong(), unbound.isEmpty() ? "Each of a known type binds." : "Some do not bind."));
	}

	private static String joined(JsonNode values) {
		List<String> texts = new ArrayList<>();
		values.forEach((value) -> texts.add(value.asString()));
		return String.join(", ", texts);
	}

}
