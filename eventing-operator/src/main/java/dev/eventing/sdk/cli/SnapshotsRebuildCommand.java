package dev.eventing.sdk.cli;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** Replaces the snapshots of other versions of the application's folds. */
@Command(name = "rebuild",
		description = { "Replaces the snapshots of other versions of the folds of an application.",
				"The folds are its beans of class Fold. Runs beside appends; may be interrupted and repeated." },
		exitCodeListHeading = "%nExit codes:%n",
		exitCodeList = { "0:done", "1:an error, described in one line", "2:usage error",
				"3:the application has no such fold that takes snapshots", "8:some streams could not be folded" })
final class SnapshotsRebuildCommand extends ApplicationCommand {

	@Option(names = "--fold", paramLabel = "NAME", order = 2, description = "Of this fold only.")
	private @Nullable String fold;

	@Option(names = "--streams", paramLabel = "PREFIX", order = 3,
			description = "How the ids of the fold's streams begin, to give those without a snapshot one, too.")
	private @Nullable String streams;

	@Option(names = "--rate", paramLabel = "N", order = 4,
			description = "The most events that are folded in a second (default: no limit).")
	private int rate;

	@Option(names = "--dry-run", order = 11, description = "Only shows what would be done.")
	private boolean dryRun;

	SnapshotsRebuildCommand(Terminal terminal) {
		super(terminal);
	}

	@Override
	String command() {
		return "rebuild-snapshots";
	}

	@Override
	List<String> properties() {
		if (this.rate < 0) {
			throw new UsageException("--rate must not be negative, not " + this.rate + ".");
		}
		List<String> properties = new ArrayList<>(List.of("rate=" + this.rate, "dry-run=" + this.dryRun));
		if (this.fold != null) {
			properties.add("fold=" + this.fold);
		}
		if (this.streams != null) {
			properties.add("streams=" + this.streams);
		}
		return properties;
	}

	@Override
	void print(JsonNode result) {
		JsonNode folds = result.path("folds");
		if (folds.isEmpty()) {
			terminal().note("The application has no such fold that takes snapshots. Folds must be beans.");
			return;
		}
		Table table = new Table("FOLD", "VERSION", "DUE", "WRITTEN", "SPARED", "FAILED", "EVENTS");
		folds.forEach((each) -> table.row(each.path("fold").asString(), each.path("version").asInt(),
				each.path("due").asLong(), each.path("written").asLong(), each.path("spared").asLong(),
				each.path("failed").asLong(), each.path("events").asLong()));
		table.print(terminal());
		folds.forEach((each) -> each.path("failures").forEach(this::printFailure));
		if (result.path("dryRun").asBoolean()) {
			terminal().line("Nothing was changed.");
		}
	}

	private void printFailure(JsonNode failure) {
		terminal().line(Terminal.printable("Stream '" + failure.path("stream").asString() + "' of tenant '"
				+ failure.path("tenant").asString() + "': " + failure.path("problem").asString()));
	}

}
