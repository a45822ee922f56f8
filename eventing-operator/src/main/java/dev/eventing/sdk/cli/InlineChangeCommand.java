package dev.eventing.sdk.cli;

import java.util.Optional;

import dev.eventing.sdk.operator.ProjectorChanged;
import dev.eventing.sdk.projection.InlineProjections;
import dev.eventing.sdk.projection.InlineStatus;
import dev.eventing.sdk.projection.ledger.JdbcInlineProjections;
import dev.eventing.sdk.projection.ledger.JdbcProjectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** The common part of the commands that change what appends do for a projector. */
@Command(mixinStandardHelpOptions = true, sortOptions = true, usageHelpAutoWidth = true,
		exitCodeListHeading = "%nExit codes:%n", exitCodeList = { "0:done", "1:an error, described in one line",
				"2:usage error", "3:no such inline projector has ever run on this database" })
abstract class InlineChangeCommand extends DatabaseCommand {

	@Parameters(paramLabel = "PROJECTOR", description = "The projector's name.")
	private String name = "";

	@Mixin
	private final ChangeOptions options = new ChangeOptions();

	InlineChangeCommand(Terminal terminal) {
		super(terminal);
	}

	/** Whether the change would change anything. */
	abstract boolean isChange(InlineStatus before);

	/** Changes the projector. */
	abstract void change(InlineProjections inline, String projector, String by);

	/**
	 * The result in words.
	 * @param changed whether it changes anything
	 */
	abstract String words(String projector, boolean changed, boolean onlyShown);

	@Override
	final int run(SingleConnectionDataSource dataSource) {
		InlineProjections inline = new JdbcInlineProjections(dataSource, database().schema());
		Optional<InlineStatus> before = inline.find(this.name);
		if (before.isEmpty()) {
			terminal()
				.note("No inline projector '" + Terminal.printable(this.name) + "' has ever run on this database.");
			return ExitCode.NOTHING_FOUND;
		}
		// Before the change: a query that fails after it would hide that it is made.
		boolean attended = output().isJson()
				&& isAttended(new JdbcProjectors(dataSource, database().schema()), this.name);
		if (!this.options.isDryRun()) {
			change(inline, this.name, this.options.actor());
		}
		boolean changed = isChange(before.get());
		if (output().isJson()) {
			json(new ProjectorChanged(this.name, changed, this.options.isDryRun(), attended));
		}
		else {
			terminal().line(words(Terminal.printable(this.name), changed, this.options.isDryRun()));
		}
		return ExitCode.OK;
	}

}
