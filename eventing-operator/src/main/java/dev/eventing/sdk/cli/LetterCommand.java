package dev.eventing.sdk.cli;

import dev.eventing.sdk.deadletter.DeadLetters;
import dev.eventing.sdk.deadletter.ledger.JdbcDeadLetters;
import dev.eventing.sdk.event.TenantId;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** The common part of all commands on letters. */
@Command(mixinStandardHelpOptions = true, sortOptions = true, usageHelpAutoWidth = true,
		exitCodeListHeading = "%nExit codes:%n",
		exitCodeList = { "0:done", "1:an error, described in one line", "2:usage error", "3:no letter matches",
				"4:letters stay parked after the redrive", "5:no running application has the handler",
				"6:not confirmed" })
abstract class LetterCommand extends DatabaseCommand {

	@Option(names = "--tenant", paramLabel = "TENANT", order = 104,
			description = "Only letters of this tenant: others are neither shown nor changed.")
	private @Nullable TenantId tenant;

	LetterCommand(Terminal terminal) {
		super(terminal);
	}

	@Override
	final int run(SingleConnectionDataSource dataSource) {
		DeadLetters all = new JdbcDeadLetters(dataSource, database().schema(), OutputOptions.JSON);
		return run((this.tenant != null) ? all.scopedTo(this.tenant) : all);
	}

	/**
	 * Runs the command.
	 * @param letters those this command may see and change
	 * @return the exit code
	 */
	abstract int run(DeadLetters letters);

	int nothingFound() {
		terminal().note(
				"No letter matches" + ((this.tenant != null) ? " among those of tenant '" + this.tenant + "'." : "."));
		return ExitCode.NOTHING_FOUND;
	}

}
