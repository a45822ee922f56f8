package dev.eventing.soak.judge;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * How long it takes after an owner was killed until all projectors commit again, and
 * until all have applied an event that was sent after the kill. Not thread-safe.
 */
public final class Recovery {

	private final long killed;

	private final Set<String> uncommitted;

	private final Set<String> unapplied;

	private @Nullable Duration commits;

	private @Nullable Duration fresh;

	/**
	 * Begins.
	 * @param projectors all of them
	 * @param killed when the owner was gone, by {@link System#nanoTime()}
	 */
	public Recovery(Collection<String> projectors, long killed) {
		this.killed = killed;
		this.uncommitted = new HashSet<>(projectors);
		this.unapplied = new HashSet<>(projectors);
	}

	/**
	 * Looks at what was seen.
	 * @param at when, by {@link System#nanoTime()}
	 * @param committed which projectors have committed since the kill
	 * @param applied which have applied the fresh event
	 * @param heldUp which an operator holds up: nothing is expected of them any more
	 */
	public void look(long at, Set<String> committed, Set<String> applied, Set<String> heldUp) {
		this.uncommitted.removeAll(committed);
		this.uncommitted.removeAll(heldUp);
		this.unapplied.removeAll(applied);
		this.unapplied.removeAll(heldUp);
		if (this.commits == null && this.uncommitted.isEmpty()) {
			this.commits = Duration.ofNanos(at - this.killed);
		}
		if (this.fresh == null && this.unapplied.isEmpty()) {
			this.fresh = Duration.ofNanos(at - this.killed);
		}
	}

	/** Whether there is nothing more to look for. */
	public boolean isOver() {
		return this.commits != null && this.fresh != null;
	}

	/** Until all projectors committed again; null if some have not. */
	public @Nullable Duration commits() {
		return this.commits;
	}

	/** Until all projectors had applied a fresh event; null if some have not. */
	public @Nullable Duration fresh() {
		return this.fresh;
	}

	/** Which projectors have not come so far, in words. */
	public String missing() {
		return "no commit of " + this.uncommitted + ", no fresh event in " + this.unapplied;
	}

}
