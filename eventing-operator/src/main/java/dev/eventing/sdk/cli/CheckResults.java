package dev.eventing.sdk.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.eventing.sdk.projection.ReconciliationResult;
import dev.eventing.sdk.projection.ReconciliationResult.Answer;
import org.jspecify.annotations.Nullable;

/** What checks found, for operators and programs. */
final class CheckResults {

	private final List<ReconciliationResult> results;

	CheckResults(List<ReconciliationResult> results) {
		this.results = results;
	}

	/** Prints all of them. Returns the exit code. */
	int print(ProjectionCommand command) {
		if (command.output().isJson()) {
			command.json(Map.of("checks", this.results.stream().map(CheckResults::json).toList()));
		}
		else if (!this.results.isEmpty()) {
			print(command.terminal());
		}
		boolean sound = this.results.stream().allMatch((each) -> each.answer() != null && !each.hasDifferences());
		return sound ? ExitCode.OK : ExitCode.DIFFERENCES;
	}

	private void print(Terminal terminal) {
		Table table = new Table("CHECK", "GENERATION", "AT", "POSITION", "DIFFERENCES", "TOOK", "BY");
		this.results.forEach((each) -> {
			Answer answer = each.answer();
			table.row(each.check(), generation(each), Times.readable(each.run().at()),
					(answer != null) ? answer.position() : null, (answer != null) ? answer.differences() : null,
					each.run().duration().toMillis() + " ms", each.run().actor());
		});
		table.print(terminal);
		this.results.forEach((each) -> explain(each, terminal));
	}

	private static String generation(ReconciliationResult result) {
		Integer beside = result.run().generation();
		return (beside != null) ? beside.toString() : "live";
	}

	private static String beside(ReconciliationResult result) {
		return (result.run().generation() != null) ? " of generation " + result.run().generation() : "";
	}

	private static void explain(ReconciliationResult result, Terminal terminal) {
		Answer answer = result.answer();
		if (answer == null) {
			terminal.line(Terminal
				.printable("Check '" + result.check() + "'" + beside(result) + " has no answer: " + result.error()));
		}
		else if (result.hasDifferences()) {
			terminal.line(Terminal.printable("Check '" + result.check() + "'" + beside(result) + ", the first "
					+ answer.sample().size() + " of " + answer.differences() + " differences:"));
			answer.sample().forEach((row) -> terminal.line("  " + Terminal.printable(row)));
		}
	}

	static Map<String, @Nullable Object> json(ReconciliationResult result) {
		Answer answer = result.answer();
		Map<String, @Nullable Object> json = new LinkedHashMap<>();
		json.put("check", result.check());
		json.put("generation", result.run().generation());
		json.put("at", result.run().at().toString());
		json.put("durationMillis", result.run().duration().toMillis());
		json.put("actor", result.run().actor());
		json.put("position", (answer != null) ? answer.position() : null);
		json.put("differences", (answer != null) ? answer.differences() : null);
		json.put("sample", (answer != null)
				? answer.sample().stream().map((row) -> OutputOptions.JSON.readTree(row)).toList() : null);
		json.put("error", result.error());
		return json;
	}

}
