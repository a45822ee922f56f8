package dev.eventing.sdk.cli;

import java.util.concurrent.Callable;

import dev.eventing.sdk.deadletter.DeadLetters;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** The common part of all commands on letters. */
@Command(mixinStandardHelpOptions = true, sortOptions = true, usageHelpAutoWidth = true,
		exitCodeListHeading = "%nExit codes:%n",
		exitCodeList = { "0:done", "1:an error, described in one line", "2:usage error", "3:no letter matches",
				"4:letters stay parked after the redrive", "5:no running application has the handler",
				"6:not confirmed" })
abstract class LetterCommand implements Callable<Integer> {

	private final Terminal terminal;

	@Mixin
	private final DatabaseOptions database = new DatabaseOptions();

	@Mixin
	private final OutputOptions output = new OutputOptions();

	LetterCommand(Terminal terminal) {
		this.terminal = terminal;
	}

	Terminal terminal() {
		return this.terminal;
	}

	DatabaseOptions database() {
		return this.database;
	}

	OutputOptions output() {
		return this.output;
	}

	@Override
	public final Integer call() {
		SingleConnectionDataSource dataSource = this.database.open();
		try {
			return run(this.database.letters(dataSource));
		}
		finally {
			dataSource.destroy();
		}
	}

	/**
	 * Runs the command. *
	 * @return the exit code
	 */
	abstract int run(DeadLetters letters);

	void json(Object value) {
		this.terminal.line(LetterJson.MAPPER.writeValueAsString(value));
	}

	int nothingFound() {
		this.terminal.note("No letter matches" + ((this.database.tenant() != null)
				? " among those of tenant '" + this.database.tenant() + "'." : "."));
		return ExitCode.NOTHING_FOUND;
	}

}
