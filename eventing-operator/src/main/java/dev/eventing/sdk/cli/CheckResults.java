package dev.eventing.sdk.cli;

import java.util.List;

import dev.eventing.sdk.operator.CheckList;
import dev.eventing.sdk.operator.CheckView;
import dev.eventing.sdk.projection.ReconciliationResult;
import dev.eventing.sdk.projection.ReconciliationResult.Answer;

/** What checks found, for operators and programs. */
final class CheckResults {

	private final List<ReconciliationResult> results;

	CheckResults(List<ReconciliationResult> results) {
		this.results = results;
	}

	/** Prints all of them. Returns the exit code. */
	int print(ProjectionCommand command) {
		if (command.output().isJson()) {
			command.json(new CheckList(this.results.stream().map((each) -> CheckView.of(each, null)).toList()));
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

}
