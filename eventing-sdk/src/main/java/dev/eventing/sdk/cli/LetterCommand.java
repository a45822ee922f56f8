package dev.eventing.sdk.cli;

import java.util.concurrent.Callable;

import dev.eventing.sdk.deadletter.DeadLetters;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** What all commands on letters have in common. */
@Command(mixinStandardHelpOptions = true, sortOptions = true, usageHelpAutoWidth = true,
		exitCodeListHeading = "%nExit codes:%n",
		exitCodeList = { "0:done", "1:an error, which is said in one line", "2:the command cannot be meant like that",
				"3:no letter fits", "4:letters stay parked after the redrive",
				"5:no application that has the handler is alive", "6:not confirmed" })
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
	 * Does it.
	 * @return the exit code
	 */
	abstract int run(DeadLetters letters);

	void json(Object value) {
		this.terminal.line(LetterJson.MAPPER.writeValueAsString(value));
	}

	int nothingFound() {
		this.terminal.note("No letter fits" + ((this.database.tenant() != null)
				? " among those of tenant '" + this.database.tenant() + "'." : "."));
		return ExitCode.NOTHING_FOUND;
	}

}
