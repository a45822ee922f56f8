package dev.eventing.sdk.cli;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

import dev.eventing.sdk.operator.CheckRequested;
import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.ProjectorOverview;
import dev.eventing.sdk.projection.Projectors;
import dev.eventing.sdk.projection.ledger.CheckRequests.Requested;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Requests that nodes run checks of a projector now. */
@Command(name = "reconcile", description = { "Runs the checks of a read model now, on a node of the application.",
		"Waits until a node has taken the request, at most one minute." })
final class ReconcileCommand extends ProjectionCommand {

	private static final long POLL_MILLIS = 250;

	/** A node that runs another check looks for requests after it. */
	private static final Duration TAKING = Duration.ofMinutes(1);

	@Option(names = "--check", paramLabel = "NAME", order = 1,
			description = "The name of one check (default: all checks of the projector that a node has).")
	private @Nullable String check;

	@Option(names = "--generation", paramLabel = "N", order = 2,
			description = "The number of a generation beside the live one that is READY (default: the live one).")
	private @Nullable Integer generation;

	@Option(names = "--expires", paramLabel = "TIME", order = 3,
			description = "How long the request waits for a node (default: 10m).")
	private Duration patience = Projections.PATIENCE;

	@Option(names = "--watch", order = 10, description = "Waits for the results, and prints them.")
	private boolean watch;

	@Option(names = "--dry-run", order = 11, description = "Only shows what would be done.")
	private boolean dryRun;

	@Option(names = "--actor", paramLabel = "NAME", order = 13,
			description = "The actor, for the results (default: the operating system's user).")
	private String actor = System.getProperty("user.name", "unknown");

	@Option(names = "--reason", paramLabel = "TEXT", order = 14, description = "The reason, for the audit.")
	private @Nullable String reason;

	ReconcileCommand(Terminal terminal) {
		super(terminal);
	}

	@Override
	int run(Projectors projectors, Projections projections, ProjectorOverview before) {
		if (this.patience.toSeconds() < 1) {
			throw new UsageException("--expires must be at least one second, not " + this.patience + ".");
		}
		if (this.dryRun) {
			return dryRun(before);
		}
		UUID id = checkRequests().add(name(), this.generation, this.check, this.actor, this.reason, this.patience);
		List<Requested> rows = await(id, Requested::isTaken, TAKING);
		boolean taken = rows.stream().allMatch(Requested::isTaken);
		if (taken && this.watch) {
			rows = await(id, Requested::isAnswered, this.patience);
		}
		if (!taken || !this.watch || !rows.stream().allMatch(Requested::isAnswered)) {
			return withoutResults(taken, rows, isAttended(projectors, name()));
		}
		return new CheckResults(checks().answers(id)).print(this);
	}

	private int dryRun(ProjectorOverview before) {
		if (output().isJson()) {
			json(CheckRequested.of(name(), before.hasNode(), null, this.check));
		}
		else {
			terminal().line("Would have a node run "
					+ ((this.check != null) ? "check '" + Terminal.printable(this.check) + "'" : "all checks")
					+ " of projector " + quoted() + ".");
		}
		if (before.hasNode()) {
			return ExitCode.OK;
		}
		terminal().note(terminal().yellow("No node runs projector " + quoted() + " now."));
		return ExitCode.NO_APPLICATION;
	}

	/** Waits until this holds for all rows, they have expired, or the time is over. */
	private List<Requested> await(UUID id, Predicate<Requested> condition, Duration atMost) {
		long end = System.nanoTime() + atMost.toNanos();
		List<Requested> rows = checkRequests().rows(id);
		while (!rows.stream().allMatch((each) -> condition.test(each) || each.isExpired())
				&& System.nanoTime() - end < 0) {
			pause();
			rows = checkRequests().rows(id);
		}
		return rows;
	}

	/** A script needs the id of the request, whatever has become of it. */
	private int withoutResults(boolean taken, List<Requested> rows, boolean attended) {
		if (output().isJson()) {
			Requested first = rows.get(0);
			json(new CheckRequested(name(), false, attended, first.id(),
					rows.stream().filter((each) -> !each.isAll()).map(Requested::check).toList(), first.expiresAt()));
		}
		if (!taken) {
			return notTaken(rows);
		}
		return this.watch ? notAnswered(rows) : taken(rows);
	}

	private int notTaken(List<Requested> rows) {
		String what = (this.check != null) ? "check '" + Terminal.printable(this.check) + "' of projector " + quoted()
				: "a check of projector " + quoted();
		boolean expired = rows.stream().allMatch(Requested::isExpired);
		terminal().note(terminal().yellow("No node has " + what + ", or those that have it are busy with another."
				+ (expired ? " The request has expired."
						: " The request waits for a node until " + Times.readable(rows.get(0).expiresAt()) + ".")));
		return ExitCode.NO_APPLICATION;
	}

	private int taken(List<Requested> rows) {
		if (!output().isJson()) {
			terminal().line("A node has taken the request to run " + names(rows) + " of projector " + quoted()
					+ ". 'eventing projection check " + Terminal.printable(name()) + "' shows the results.");
		}
		return ExitCode.OK;
	}

	private int notAnswered(List<Requested> rows) {
		List<Requested> open = rows.stream().filter((each) -> !each.isAnswered()).toList();
		terminal().note(terminal().yellow("Not done: no node has run " + names(open) + " of projector " + quoted()
				+ " until the request expired. The node that had taken it may have ended, or runs it still."));
		return ExitCode.NOT_DONE;
	}

	private static String names(List<Requested> rows) {
		return rows.stream()
			.map((each) -> "'" + Terminal.printable(each.check()) + "'")
			.reduce((one, other) -> one + ", " + other)
			.orElse("no check");
	}

	private static void pause() {
		try {
			TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new UsageException("Interrupted. The request itself stays.");
		}
	}

}
