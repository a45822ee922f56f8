package dev.eventing.sdk.cli;

import java.time.Duration;
import java.util.List;

import dev.eventing.sdk.operator.LagList;
import dev.eventing.sdk.operator.LagView;
import dev.eventing.sdk.projection.Behind;
import dev.eventing.sdk.projection.ProjectorOverview;
import dev.eventing.sdk.projection.Projectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows how far projectors lag, and compares that with limits. */
@Command(name = "lag", description = { "Shows how far projectors lag.",
		"With a limit it is a check for scripts: the exit code tells whether one lags more." })
final class ProjectorLagCommand extends ProjectorCommand {

	@Parameters(paramLabel = "PROJECTOR", arity = "0..1", description = "The projector's name; else all of them.")
	private @Nullable String name;

	@Option(names = "--max-events", paramLabel = "N", order = 1, description = "The most events it may lag.")
	private @Nullable Long maxEvents;

	@Option(names = "--max-seconds", paramLabel = "N", order = 2,
			description = "The most seconds its oldest unread event may have waited.")
	private @Nullable Long maxSeconds;

	ProjectorLagCommand(Terminal terminal) {
		super(terminal);
	}

	@Override
	int run(Projectors projectors) {
		List<ProjectorOverview> shown = projectors.list()
			.stream()
			.filter((each) -> this.name == null || each.name().equals(this.name))
			.toList();
		if (shown.isEmpty()) {
			if (this.name != null) {
				return unknown(projectors, this.name);
			}
			terminal().note("No projector has ever run on this database.");
			return ExitCode.NOTHING_FOUND;
		}
		List<LagView> lags = shown.stream().map((each) -> LagView.of(each, isTooMuch(each))).toList();
		if (output().isJson()) {
			json(new LagList(lags));
		}
		else {
			print(lags);
		}
		shown.stream().filter((each) -> !each.hasNode()).forEach(this::noteNoNode);
		return exitCode(shown);
	}

	private int exitCode(List<ProjectorOverview> shown) {
		if (shown.stream().anyMatch(this::isTooMuch)) {
			return ExitCode.LAGS;
		}
		boolean unattended = this.name != null && shown.stream().noneMatch(ProjectorOverview::hasNode);
		return unattended ? ExitCode.NO_APPLICATION : ExitCode.OK;
	}

	/** What is not known may be too much. */
	private boolean isTooMuch(ProjectorOverview projector) {
		Behind behind = projector.behind();
		Long events = behind.events();
		Duration time = behind.time();
		boolean byEvents = this.maxEvents != null && (events == null || events > this.maxEvents);
		boolean byTime = this.maxSeconds != null
				&& (time == null || time.compareTo(Duration.ofSeconds(this.maxSeconds)) > 0);
		return byEvents || byTime;
	}

	private void print(List<LagView> lags) {
		Table table = new Table("PROJECTOR", "STATUS", "BEHIND", "SECONDS", "LIMIT");
		lags.forEach((each) -> table.row(each.name(), each.status(), each.behindEvents(), each.behindSeconds(),
				limit(each)));
		table.print(terminal());
	}

	private @Nullable String limit(LagView lag) {
		boolean none = this.maxEvents == null && this.maxSeconds == null;
		return none ? null : lag.tooMuch() ? "too much" : "ok";
	}

	private void noteNoNode(ProjectorOverview projector) {
		terminal()
			.note(terminal().yellow("No node runs projector '" + Terminal.printable(projector.name()) + "' now."));
	}

}
