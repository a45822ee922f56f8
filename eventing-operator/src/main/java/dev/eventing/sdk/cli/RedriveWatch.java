package dev.eventing.sdk.cli;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.deadletter.DeadLetters;
import dev.eventing.sdk.deadletter.RedriveProgress;

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
	 * @param unattended the projectors of which letters of the redrive still wait, and
	 * whose handlers no running application has; by name
	 * @param exitCode the command's exit code
	 */
	record End(RedriveProgress progress, List<String> unattended, int exitCode) {
	}

	/** Checks once, without waiting for the end. */
	End look(UUID redriveId) {
		RedriveProgress progress = this.letters.progress(redriveId);
		List<String> orphans = progress.isOver() ? List.of() : orphans(redriveId);
		return orphans.isEmpty() ? new End(progress, orphans, ExitCode.OK) : orphaned(progress, orphans);
	}

	End await(UUID redriveId) {
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
			List<String> orphans = (now - changedAt >= this.aliveWithin.toNanos()) ? orphans(redriveId) : List.of();
			if (!orphans.isEmpty()) {
				endBar();
				return orphaned(progress, orphans);
			}
		}
		endBar();
		return new End(last, List.of(), (last.parked() > 0) ? ExitCode.STAYS_PARKED : ExitCode.OK);
	}

	/** A projector whose letters have all been run needs no application any more. */
	private List<String> orphans(UUID redriveId) {
		return this.letters.waiting(redriveId)
			.stream()
			.filter((projector) -> this.letters.redriver(projector).isEmpty())
			.toList();
	}

	private End orphaned(RedriveProgress progress, List<String> orphans) {
		this.terminal.note(this.terminal
			.yellow(unattended(orphans) + " The request stays: the letters are redriven once one starts."));
		return new End(progress, orphans, ExitCode.NO_APPLICATION);
	}

	/** That no application has the handlers of these projectors, as a sentence. */
	static String unattended(List<String> projectors) {
		return "No application that has the handler of "
				+ String.join(", ", projectors.stream().map(Terminal::printable).toList()) + " is running.";
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
