package dev.eventing.sdk.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

import dev.eventing.sdk.projection.BackfillOptions;
import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.ProjectorOverview;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Requests that earlier events are applied to a live read model. */
@Command(name = "backfill",
		description = { "Applies earlier events to the live read model of a projector that reads the event store.",
				"With --types those events of these types that it has not applied: a new handler. With --handler all",
				"events of the handler, once more: a new column. Later events of the types wait meanwhile, and all",
				"behind the first one. A node of the application does it." })
final class BackfillCommand extends RequestCommand {

	@Option(names = "--types", paramLabel = "TYPE", split = ",", order = 1,
			description = "The types of the events, as they are stored; with --handler, some of its types.")
	private List<String> types = new ArrayList<>();

	@Option(names = "--handler", paramLabel = "METHOD", order = 1,
			description = "The handler, such as on, OrderSummary.on, or 'on(OrderPlaced)'. It runs for all events of"
					+ " the types, also for those that the projector has applied.")
	private @Nullable String handler;

	@Option(names = "--to", paramLabel = "POSITION", order = 3,
			description = "The last position that is applied. Else the one where the projector stands when the backfill"
					+ " begins.")
	private @Nullable Long to;

	@Option(names = "--rate", paramLabel = "N", order = 3,
			description = "The most events that it applies in a second. Else it slows down by itself while a replica"
					+ " lags.")
	private @Nullable Integer rate;

	BackfillCommand(Terminal terminal) {
		super(terminal);
	}

	@Override
	String plan(ProjectorOverview before) {
		String upTo = (this.to == null && before.position() != null)
				? " up to position " + before.position() + ", or later" : "";
		return "Would apply " + Terminal.printable(options().text()) + upTo + ", in the live read model of projector "
				+ quoted() + ".";
	}

	private BackfillOptions options() {
		try {
			return new BackfillOptions(new TreeSet<>(this.types), this.handler, this.to, this.rate);
		}
		catch (IllegalArgumentException ex) {
			throw new UsageException("--types, --handler, --to or --rate: " + ex.getMessage());
		}
	}

	@Override
	ProjectionRequest request(Projections projections) {
		return projections.backfill(name(), options(), actor(), reason(), patience());
	}

	@Override
	ProjectionRequest.What what(Projections projections) {
		return ProjectionRequest.What.backfill(options());
	}

	@Override
	String requested() {
		return "A backfill of the live read model of projector " + quoted() + " is requested.";
	}

}
