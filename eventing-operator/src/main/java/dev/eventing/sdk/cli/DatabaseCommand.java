package dev.eventing.sdk.cli;

import java.util.concurrent.Callable;

import dev.eventing.sdk.projection.ProjectorOverview;
import dev.eventing.sdk.projection.Projectors;
import picocli.CommandLine.Mixin;

import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** The common part of all commands: one connection to the database, and the output. */
abstract class DatabaseCommand implements Callable<Integer> {

	private final Terminal terminal;

	@Mixin
	private final DatabaseOptions database = new DatabaseOptions();

	@Mixin
	private final OutputOptions output = new OutputOptions();

	DatabaseCommand(Terminal terminal) {
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
			return run(dataSource);
		}
		finally {
			dataSource.destroy();
		}
	}

	/**
	 * Runs the command.
	 * @return the exit code
	 */
	abstract int run(SingleConnectionDataSource dataSource);

	/** Whether a node runs the projector now, or stands by. */
	static boolean isAttended(Projectors projectors, String name) {
		return projectors.find(name).filter(ProjectorOverview::hasNode).isPresent();
	}

	void json(Object value) {
		this.terminal.line(OutputOptions.JSON.writeValueAsString(value));
	}

}
