package dev.eventing.sdk.cli;

import java.util.List;

import dev.eventing.sdk.projection.ProjectorOverview;
import dev.eventing.sdk.projection.Projectors;
import dev.eventing.sdk.projection.ledger.JdbcProjectors;
import picocli.CommandLine.Command;

import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** The common part of all commands on projectors. */
@Command(mixinStandardHelpOptions = true, sortOptions = true, usageHelpAutoWidth = true,
		exitCodeListHeading = "%nExit codes:%n",
		exitCodeList = { "0:done", "1:an error, described in one line", "2:usage error",
				"3:no such projector has ever run on this database",
				"5:no node runs the projector; a change is stored, and takes effect once one starts",
				"7:a projector lags more than the options allow, or its lag is not known" })
abstract class ProjectorCommand extends DatabaseCommand {

	ProjectorCommand(Terminal terminal) {
		super(terminal);
	}

	@Override
	final int run(SingleConnectionDataSource dataSource) {
		return run(new JdbcProjectors(dataSource, database().schema()));
	}

	/**
	 * Runs the command.
	 * @return the exit code
	 */
	abstract int run(Projectors projectors);

	int unknown(Projectors projectors, String name) {
		List<String> known = projectors.list().stream().map(ProjectorOverview::name).distinct().toList();
		terminal().note("No node has ever run a projector '" + Terminal.printable(name) + "' on this database. "
				+ (known.isEmpty() ? "There is none yet."
						: "Known are " + Terminal.printable(String.join(", ", known)) + "."));
		return ExitCode.NOTHING_FOUND;
	}

}
