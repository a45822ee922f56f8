package dev.eventing.sdk.cli;

import java.time.Duration;

import dev.eventing.sdk.deadletter.DeadLetterStats;
import dev.eventing.sdk.deadletter.DeadLetters;
import dev.eventing.sdk.operator.StatsView;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Counts letters. */
@Command(name = "stats", description = "Counts letters by common properties, and over time.")
final class StatsCommand extends LetterCommand {

	private static final int LONGEST_BAR = 40;

	@Mixin
	private final FilterOptions filter = new FilterOptions();

	@Option(names = "--interval", paramLabel = "DURATION", order = 20, defaultValue = "1h",
			description = "Length of each interval (${DEFAULT-VALUE}).")
	private Duration interval = Duration.ofHours(1);

	@Option(names = "--intervals", paramLabel = "N", order = 21, defaultValue = "24",
			description = "Number of intervals up to now (${DEFAULT-VALUE}).")
	private int intervals;

	StatsCommand(Terminal terminal) {
		super(terminal);
	}

	@Override
	int run(DeadLetters letters) {
		DeadLetterStats stats = letters.stats(this.filter.filter(), this.interval, this.intervals);
		if (output().isJson()) {
			json(StatsView.of(stats));
		}
		else if (!stats.groups().isEmpty()) {
			printGroups(stats);
			terminal().line("");
			printOverTime(stats);
		}
		return stats.groups().isEmpty() ? nothingFound() : ExitCode.OK;
	}

	private void printGroups(DeadLetterStats stats) {
		Table table = new Table("LETTERS", "STATUS", "PROJECTOR", "TENANT", "TYPE", "REASON", "ERROR", "OLDEST",
				"NEWEST");
		for (DeadLetterStats.Group group : stats.groups()) {
			table.row(group.letters(), group.status(), group.projector(), group.tenantId(), group.eventType(),
					group.reason(), group.errorClass(), Times.readable(group.dead().oldest()),
					Times.readable(group.dead().newest()));
		}
		table.print(terminal());
	}

	private void printOverTime(DeadLetterStats stats) {
		long most = stats.overTime().stream().mapToLong(DeadLetterStats.Interval::letters).max().orElse(0);
		Table table = new Table("FROM", "LETTERS", "");
		for (DeadLetterStats.Interval count : stats.overTime()) {
			int bar = (most > 0) ? (int) ((count.letters() * LONGEST_BAR + most - 1) / most) : 0;
			table.row(Times.readable(count.from()), count.letters(), "#".repeat(bar));
		}
		table.print(terminal());
	}

}
