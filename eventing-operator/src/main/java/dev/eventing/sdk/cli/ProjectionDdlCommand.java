package dev.eventing.sdk.cli;

import java.util.List;

import dev.eventing.sdk.operator.ProjectionDdl;
import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.ProjectorOverview;
import dev.eventing.sdk.projection.Projectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows the statements that a request waits for, and runs them. */
@Command(name = "ddl",
		description = { "Shows the statements that give the application's role the rights that a request needs.",
				"With --run they run in one transaction, with the rights of the user of this command. A node of the",
				"application does the request then by itself." },
		exitCodeList = { "0:done, or nothing is needed", "1:an error, described in one line", "2:usage error",
				"3:no such projector has ever run on this database", "6:not confirmed; nothing was changed" })
final class ProjectionDdlCommand extends ProjectionCommand {

	@Option(names = "--run", order = 10, description = "Runs the statements.")
	private boolean run;

	@Option(names = { "-y", "--yes" }, order = 12, description = "Does not ask. Required without a terminal.")
	private boolean yes;

	@Option(names = "--actor", paramLabel = "NAME", order = 13,
			description = "The actor, for the audit (default: the operating system's user).")
	private String actor = System.getProperty("user.name", "unknown");

	ProjectionDdlCommand(Terminal terminal) {
		super(terminal);
	}

	@Override
	int run(Projectors projectors, Projections projections, ProjectorOverview before) {
		List<String> statements = projections.ddl(name());
		boolean runs = this.run && !statements.isEmpty();
		if (!output().isJson()) {
			print(statements);
		}
		if (runs && !isConfirmed()) {
			return ExitCode.NOT_CONFIRMED;
		}
		if (runs) {
			runDdl(statements, this.actor);
		}
		if (output().isJson()) {
			json(new ProjectionDdl(name(), statements, runs));
		}
		else if (runs) {
			terminal().line("Done for projector " + quoted() + ". A node does the request now.");
		}
		return ExitCode.OK;
	}

	private void print(List<String> statements) {
		if (statements.isEmpty()) {
			terminal().line("No request for projector " + quoted() + " needs rights.");
		}
		statements.forEach((statement) -> terminal().line(line(statement)));
	}

	private boolean isConfirmed() {
		if (this.yes) {
			return true;
		}
		if (!terminal().isInteractive() || output().isJson()) {
			terminal().note("There is no terminal for an answer, so nothing is done. Consider --yes.");
			return false;
		}
		return terminal().confirms("Run these statements?");
	}

	/** A statement as a line of a script. */
	static String line(String statement) {
		return Terminal.printable(statement) + ";";
	}

}
