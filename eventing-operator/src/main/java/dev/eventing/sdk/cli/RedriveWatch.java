package dev.eventing.sdk.cli;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.deadletter.DeadLetters;
import dev.eventing.sdk.deadletter.Redrive;
import dev.eventing.sdk.deadletter.RedriveProgress;
import dev.eventing.sdk.operator.RedriveView;

/** Follows a redrive until it is over, or until no application runs it. */
final class RedriveWatch {

	private static final long POLL_MILLIS = 250;

	private static final Duration LINES = Duration.ofSeconds(5);

	private static final int BAR = 30;

	private final DeadLetters letters;

	private final Terminal terminal;

	private final Duration aliveWithin;

	RedriveWatch(DeadLetters letters, Terminal terminal, Duration aliveWithin) {
		this.letters = letters;
		this.terminal = terminal;
		this.aliveWithin = aliveWithin;
	}

	/**
	 * The result of following a redrive.
	 *
	 * @param progress its progress
	 * @param unattended the projectors whose letters wait for an application; empty if no
	 * letter waits
	 * @param exitCode the command's exit code
	 */
	record End(RedriveProgress progress, List<String> unattended, int exitCode) {
	}

	/** Checks once, without waiting for the end. */
	End look(Redrive redrive, UUID redriveId) {
		RedriveProgress progress = this.letters.progress(redriveId);
		List<String> orphans = progress.isOver() ? List.of() : orphans(redrive);
		return orphans.isEmpty() ? new End(progress, orphans, ExitCode.OK) : orphaned(progress, orphans);
	}

	End await(Redrive redrive, UUID redriveId) {
		long changedAt = System.nanoTime();
		long saidAt = changedAt;
		RedriveProgress last = this.letters.progress(redriveId);
		while (!last.isOver()) {
			pause();
			RedriveProgress progress = this.letters.progress(redriveId);
			long now = System.nanoTime();
			if (!progress.equals(last)) {
				changedAt = now;
			}
			if (this.terminal.isInteractive()) {
				this.terminal.overwrite(bar(progress));
			}
			else if (!progress.equals(last) && now - saidAt > LINES.toNanos()) {
				this.terminal.note(words(progress));
				saidAt = now;
			}
			last = progress;
			// If the owner has crashed, another node takes over within seconds.
			List<String> orphans = (now - changedAt >= this.aliveWithin.toNanos()) ? orphans(redrive) : List.of();
			if (!orphans.isEmpty()) {
				endBar();
				return orphaned(progress, orphans);
			}
		}
		endBar();
		return new End(last, List.of(), (last.parked() > 0) ? ExitCode.STAYS_PARKED : ExitCode.OK);
	}

	private List<String> orphans(Redrive redrive) {
		return RedriveView.of(redrive, this.letters).unattended();
	}

	private End orphaned(RedriveProgress progress, List<String> orphans) {
		this.terminal.note(this.terminal.yellow("No application that has the handler of "
				+ String.join(", ", orphans.stream().map(Terminal::printable).toList())
				+ " is running. The request stays: the letters are redriven once one starts."));
		return new End(progress, orphans, ExitCode.NO_APPLICATION);
	}

	private void endBar() {
		if (this.terminal.isInteractive()) {
			this.terminal.overwrite("");
		}
	}

	private static String bar(RedriveProgress progress) {
		long done = progress.letters() - progress.waiting();
		int full = (progress.letters() > 0) ? (int) (BAR * done / progress.letters()) : BAR;
		return "[" + "#".repeat(full) + "-".repeat(BAR - full) + "] " + words(progress);
	}

	static String words(RedriveProgress progress) {
		return progress.resolved() + " of " + progress.letters() + " resolved, " + progress.parked() + " parked, "
				+ progress.discarded() + " discarded, " + progress.waiting() + " waiting";
	}

	private static void pause() {
		try {
			TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new UsageException("Interrupted. The redrive itself continues.");
		}
	}

}
