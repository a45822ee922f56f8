package dev.eventing.sdk.cli;

import java.time.Duration;
import java.util.Comparator;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.operator.ProjectionRequested;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.ProjectorOverview;
import dev.eventing.sdk.projection.Projectors;
import org.jspecify.annotations.Nullable;

/**
 * Follows a request until it is done and the read model is filled, or it has ended
 * otherwise. Only for a projector that a node runs.
 */
final class RequestWatch {

	private static final long POLL_MILLIS = 250;

	private static final Duration LINES = Duration.ofSeconds(5);

	private final Projectors projectors;

	private final Projections projections;

	private final ProjectionCommand command;

	private final Terminal terminal;

	private final long id;

	/** Where the read model was when it was first seen being filled; -1 before that. */
	private long first = -1;

	private long firstAt;

	RequestWatch(Projectors projectors, Projections projections, ProjectionCommand command, ProjectionRequest request) {
		this.projectors = projectors;
		this.projections = projections;
		this.command = command;
		this.terminal = command.terminal();
		this.id = request.id();
	}

	/** Returns the exit code of the command. */
	int await() {
		long saidAt = System.nanoTime() - LINES.toNanos();
		String last = "";
		while (true) {
			ProjectionRequest request = this.projections.request(this.id).orElseThrow();
			ProjectionRequest.Status status = request.state().status();
			if (!status.isOpen() && status != ProjectionRequest.Status.DONE) {
				return ended(request);
			}
			ProjectionGeneration begun = (status == ProjectionRequest.Status.DONE) ? begun(request) : null;
			if (status == ProjectionRequest.Status.DONE && (begun == null || !isFilling(begun))) {
				return done(request, begun);
			}
			String now = (begun != null) ? progress(begun) : waiting(request);
			if (this.terminal.isInteractive()) {
				this.terminal.overwrite(now);
			}
			else if (!now.equals(last) && System.nanoTime() - saidAt >= LINES.toNanos()) {
				this.terminal.note(now);
				last = now;
				saidAt = System.nanoTime();
			}
			pause();
		}
	}

	private static boolean isFilling(ProjectionGeneration begun) {
		return begun.status() == ProjectionGeneration.Status.FILLING
				|| begun.status() == ProjectionGeneration.Status.BUILDING;
	}

	/**
	 * The generation that was begun for the request; null if it begins none. Later
	 * requests may have begun others.
	 */
	private @Nullable ProjectionGeneration begun(ProjectionRequest request) {
		return isRebuild(request.what().action()) ? this.projections.generations(this.command.name())
			.stream()
			.filter((each) -> !each.times().begunAt().isBefore(request.requestedAt()))
			.min(Comparator.comparingInt(ProjectionGeneration::generation))
			.orElse(null) : null;
	}

	private static boolean isRebuild(ProjectionRequest.Action action) {
		return action == ProjectionRequest.Action.REBUILD_IN_PLACE || action == ProjectionRequest.Action.REBUILD_BESIDE;
	}

	private int done(ProjectionRequest request, @Nullable ProjectionGeneration begun) {
		if (begun != null && begun.status() == ProjectionGeneration.Status.FAILED) {
			return notDone(request, "generation " + begun.generation() + " has failed. " + begun.failure());
		}
		if (begun != null && begun.status() == ProjectionGeneration.Status.RETIRED && begun.times().liveAt() == null) {
			return notDone(request, "generation " + begun.generation() + " was retired meanwhile." + later());
		}
		return filled(request);
	}

	/** What was requested since, as a sentence. */
	private String later() {
		return this.projections.lastRequest(this.command.name())
			.filter((last) -> last.id() != this.id)
			.map((last) -> " " + last.by().actor() + " has requested " + last.what().action() + " since.")
			.orElse("");
	}

	private static String waiting(ProjectionRequest request) {
		String detail = RequestDetail.of(request);
		return (detail != null) ? Terminal.printable(detail) : "The request waits for a node.";
	}

	private String progress(ProjectionGeneration filling) {
		ProjectorOverview seen = overview(filling.generation());
		Long known = (seen != null) ? seen.position() : null;
		long position = (known != null) ? known : 0;
		long upTo = upTo(filling, seen, position);
		long now = System.nanoTime();
		if (this.first < 0) {
			this.first = position;
			this.firstAt = now;
		}
		double seconds = (now - this.firstAt) / 1e9;
		long done = position - this.first;
		String text = "%d of %d positions (%d %%)".formatted(position, upTo, (upTo > 0) ? 100 * position / upTo : 100);
		if (done > 0 && seconds > 0) {
			double rate = done / seconds;
			text += ", %,.0f/s, %d s left".formatted(rate, Math.round((upTo - position) / rate));
		}
		String detail = (seen != null) ? seen.status().detail() : null;
		int pace = (detail != null) ? detail.indexOf("; ") : -1;
		if (detail != null && pace >= 0) {
			text += ", " + Terminal.printable(detail.substring(pace + 2));
		}
		return text;
	}

	private @Nullable ProjectorOverview overview(int generation) {
		return this.projectors.list()
			.stream()
			.filter((each) -> each.name().equals(this.command.name()) && each.generation().number() == generation)
			.findFirst()
			.orElse(null);
	}

	/** Beside the live generation the end moves. */
	private static long upTo(ProjectionGeneration filling, @Nullable ProjectorOverview seen, long position) {
		if (filling.filledTo() != null) {
			return filling.filledTo();
		}
		Long behind = (seen != null) ? seen.behind().events() : null;
		return position + ((behind != null) ? behind : 0);
	}

	private int filled(ProjectionRequest request) {
		endLine();
		if (this.command.output().isJson()) {
			this.command.json(
					ProjectionRequested.of(request, DatabaseCommand.isAttended(this.projectors, this.command.name())));
		}
		else {
			this.terminal.line("Done for projector " + this.command.quoted() + ". "
					+ Terminal.printable(String.valueOf(request.state().detail())));
		}
		return ExitCode.OK;
	}

	private int ended(ProjectionRequest request) {
		String detail = request.state().detail();
		String why = request.state().status() + ((detail != null) ? ". " + detail : "");
		return notDone(request, (why.endsWith(".") ? why : why + ".") + later());
	}

	private int notDone(ProjectionRequest request, String why) {
		endLine();
		if (this.command.output().isJson()) {
			this.command.json(
					ProjectionRequested.of(request, DatabaseCommand.isAttended(this.projectors, this.command.name())));
		}
		this.terminal.note(this.terminal.yellow("Not done: " + Terminal.printable(why)));
		return ExitCode.NOT_DONE;
	}

	private void endLine() {
		if (this.terminal.isInteractive()) {
			this.terminal.overwrite("");
		}
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
