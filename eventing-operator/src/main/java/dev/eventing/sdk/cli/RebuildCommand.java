package dev.eventing.sdk.cli;

import java.time.Instant;

import dev.eventing.sdk.projection.BuildOptions;
import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.ProjectorOverview;
import dev.eventing.sdk.projection.RequestPlan;
import dev.eventing.sdk.projection.ScopedRebuild;
import dev.eventing.sdk.projection.Until;
import dev.eventing.sdk.projection.tables.TableSizes;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

import org.springframework.util.unit.DataSize;

/** Requests that a read model is filled anew from events. */
@Command(name = "rebuild",
		description = { "Fills the read model of a projector again from all events.",
				"A new generation is built beside the live one, which readers keep seeing. With --in-place the",
				"tables that readers use are emptied and filled again. With --stream, --keys-of-letters, --tenant or",
				"--window a part of them is, and readers see it before or after. A node of the application does it." })
final class RebuildCommand extends RequestCommand {

	@Option(names = "--in-place", order = 1,
			description = "Empties the tables that readers use. They see less than they saw until it is filled.")
	private boolean inPlace;

	@Option(names = "--rate", paramLabel = "N", order = 3,
			description = "The most events that the build reads in a second. Else it slows down by itself while the"
					+ " live generation or a replica lags.")
	private @Nullable Integer rate;

	@Option(names = "--max-size", paramLabel = "SIZE", order = 4,
			description = "The most that the new tables may take with their indexes, such as 10GB.")
	private @Nullable String maxSize;

	@Option(names = "--until", paramLabel = "POSITION|TIME", order = 5,
			description = "Builds the read model as it was then, to look at: at a position of the event store, or a"
					+ " sequence of the stream that the projector reads, or at a time such as"
					+ " 2026-01-31T13:45:00Z, or 2h for two hours ago. It is never switched to.")
	private @Nullable String until;

	@Mixin
	private final PartOptions part = new PartOptions();

	RebuildCommand(Terminal terminal) {
		super(terminal);
	}

	@Override
	String plan(ProjectorOverview before) {
		ScopedRebuild scoped = this.part.scoped();
		if (scoped != null) {
			return "Would rebuild of the read model of projector " + quoted() + " "
					+ Terminal.printable(scoped.scope().describe()) + ", and leave the rest as it is.";
		}
		if (this.until != null && !this.inPlace) {
			return "Would build a new generation of the read model of projector " + quoted()
					+ " beside the live one, as it was at " + describe(until(this.until)) + ".";
		}
		String upTo = (before.position() != null) ? " up to position " + before.position() + ", or later." : ".";
		return this.inPlace
				? "Would empty the read model of projector " + quoted() + " and fill it again from all events" + upTo
				: "Would build a new generation of the read model of projector " + quoted()
						+ " beside the live one, from all events" + upTo;
	}

	@Override
	ProjectionRequest request(Projections projections) {
		BuildOptions options = options();
		ScopedRebuild scoped = this.part.scoped();
		if (scoped != null) {
			return projections.rebuildScope(name(), scoped, new ProjectionRequest.By(actor(), reason()), patience());
		}
		return this.inPlace ? projections.rebuildInPlace(name(), actor(), reason(), patience())
				: projections.rebuildBeside(name(), options, actor(), reason(), patience());
	}

	private BuildOptions options() {
		boolean live = this.inPlace || this.part.scoped() != null;
		if (live && (this.rate != null || this.maxSize != null || this.until != null)) {
			throw new UsageException("--rate, --max-size and --until are for a build beside the live generation.");
		}
		Until then = (this.until != null) ? until(this.until) : null;
		try {
			return new BuildOptions(this.rate,
					(this.maxSize != null) ? (Long) DataSize.parse(this.maxSize).toBytes() : null, then);
		}
		catch (IllegalArgumentException ex) {
			throw new UsageException(
					"--rate and --max-size must be positive. Consider --rate 1000, or --max-size 10GB.");
		}
	}

	private static Until until(String text) {
		try {
			return text.matches("\\d+") ? Until.of(text) : new Until.Time(Times.instant(text, Instant.now()));
		}
		catch (IllegalArgumentException | TypeConversionException ex) {
			throw new UsageException("--until: " + ex.getMessage());
		}
	}

	private static String describe(Until until) {
		return (until instanceof Until.Position) ? "position " + until.text() : until.text();
	}

	@Override
	ProjectionRequest.What what(Projections projections) {
		ScopedRebuild scoped = this.part.scoped();
		if (scoped != null) {
			options();
			return ProjectionRequest.What.part(scoped);
		}
		return this.inPlace ? new ProjectionRequest.What(ProjectionRequest.Action.REBUILD_IN_PLACE, null)
				: ProjectionRequest.What.build(options());
	}

	private static String free(@Nullable Long bytes) {
		return (bytes != null) ? "The disk has " + TableSizes.readable(bytes) + " free."
				: "The free space of the disk is not known to the database; compare it.";
	}

	@Override
	void space(RequestPlan plan) {
		if (!this.inPlace && this.part.scoped() == null && !plan.tables().isEmpty()) {
			Table table = new Table("LIVE TABLE", "SIZE");
			plan.tables().forEach((name, bytes) -> table.row(name, TableSizes.readable(bytes)));
			table.print(terminal());
			terminal().line("The new generation needs about as much: " + TableSizes.readable(plan.bytes()) + ". "
					+ free(plan.free()));
		}
	}

	@Override
	String requested() {
		ScopedRebuild scoped = this.part.scoped();
		if (scoped != null) {
			return "The rebuild of " + Terminal.printable(scoped.scope().describe())
					+ " in the read model of projector " + quoted() + " is requested.";
		}
		return this.inPlace ? "The rebuild of the read model of projector " + quoted() + " is requested."
				: "A new generation of the read model of projector " + quoted() + " is requested.";
	}

}
