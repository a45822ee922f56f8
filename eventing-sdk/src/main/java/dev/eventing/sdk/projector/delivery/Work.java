package dev.eventing.sdk.projector.delivery;

import java.util.ArrayList;
import java.util.List;

import dev.eventing.sdk.event.EventPlace;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.idempotency.EventKey;
import org.jspecify.annotations.Nullable;

/**
 * An event in a projector, from its arrival until it is settled: what is known of it, how
 * it is settled, and what its lane remembers of it. After the intake has passed it on,
 * one lane owns it. Not thread-safe.
 */
public final class Work {

	private final RoutedEvent routed;

	private final Settler settler;

	/** The order of its whole lane, or null if only its own key has an order. */
	private @Nullable String laneOrder;

	/** Whether it may have ended a process. */
	private Suspicion suspicion = Suspicion.NONE;

	/** Whether projector_attempts has a row for it, which is deleted when it succeeds. */
	private boolean attempted;

	/** Whether later events of its key wait for it. */
	private boolean blocking;

	/** Why it cannot be passed to a handler though it can be read, or null. */
	private @Nullable Rejection givenUp;

	/** Whether it ran again after its handler took too long. */
	private boolean repeated;

	/** Null until it is first asked for. */
	private @Nullable Doubts doubts;

	/** Whether it waits until {@link #notBefore}. */
	private boolean delayed;

	private long notBefore;

	public Work(RoutedEvent routed, Settler settler) {
		this.routed = routed;
		this.settler = settler;
	}

	/**
	 * Returns the event with the payload that an operator gave it. If that names another
	 * event or cannot be read, returns the original, given up.
	 * @param edited the same as the original if the payload was not edited
	 */
	public static Work edited(RoutedEvent original, RoutedEvent edited, Settler settler) {
		Rejection rejection = Rejection.ofEdit(edited, original.ledgerKey());
		Work work = new Work((rejection == null) ? edited : original, settler);
		work.givenUp = rejection;
		return work;
	}

	/** Returns the events of these works, in the same order. */
	public static List<RoutedEvent> routed(List<Work> works) {
		List<RoutedEvent> events = new ArrayList<>(works.size());
		works.forEach((work) -> events.add(work.routed));
		return events;
	}

	/** Returns the events of these works that have a row in projector_attempts. */
	public static List<EventKey> attempted(List<Work> works) {
		return works.stream().filter((work) -> work.attempted).map((work) -> work.routed.eventKey()).toList();
	}

	/** The event, its handler and its key. */
	public RoutedEvent routed() {
		return this.routed;
	}

	/** How it is settled. */
	public Settler settler() {
		return this.settler;
	}

	public EventPlace place() {
		return this.routed.place();
	}

	/** The number of bytes of the event. */
	int size() {
		return this.routed.source().size();
	}

	/** The key of the events that must not overtake one another, or null. */
	public @Nullable String key() {
		return (this.laneOrder != null) ? this.laneOrder : this.routed.key();
	}

	/** Puts it into one order with all events of its lane, whichever their keys are. */
	public void orderWithLane(int lane) {
		this.laneOrder = "lane " + lane;
	}

	public Suspicion suspicion() {
		return this.suspicion;
	}

	public void setSuspicion(Suspicion suspicion) {
		this.suspicion = suspicion;
	}

	public void markAttempted() {
		this.attempted = true;
	}

	/**
	 * Why it cannot be passed to a handler of the projector, or null if it can: it is
	 * unreadable, JetStream gave it up, its edited payload names another event, or no
	 * handler takes it.
	 */
	public @Nullable Rejection rejection(ProjectorId projector) {
		return (this.givenUp != null && this.routed.hasEvent()) ? this.givenUp : Rejection.of(projector, this.routed);
	}

	public void giveUp(Rejection why) {
		this.givenUp = why;
	}

	public boolean isBlocking() {
		return this.blocking;
	}

	public void markBlocking() {
		this.blocking = true;
	}

	/**
	 * Takes the one repeat that it has, for all its attempts, after its handler took too
	 * long for the server. Returns false if it has had it.
	 */
	public boolean takeRepeat() {
		boolean first = !this.repeated;
		this.repeated = true;
		return first;
	}

	/** Whether its failures may be the database's. */
	public Doubts doubts() {
		Doubts known = this.doubts;
		if (known == null) {
			known = new Doubts();
			this.doubts = known;
		}
		return known;
	}

	/** Whether it may run now: it has not failed before, or its wait is over. */
	public boolean isDue() {
		return !this.delayed || nanosLeft() <= 0;
	}

	/** The nanoseconds until it may run. */
	public long nanosLeft() {
		return this.notBefore - System.nanoTime();
	}

	/**
	 * Sets the {@link System#nanoTime time} of its next attempt. Changes of the clock do
	 * not affect it.
	 */
	public void setNotBefore(long nanoTime) {
		this.delayed = true;
		this.notBefore = nanoTime;
	}

	/** Compares two events by the time at which they may run. */
	public static int byTime(Work one, Work other) {
		return Long.signum(one.notBefore - other.notBefore);
	}

	@Override
	public String toString() {
		return this.routed.toString();
	}

}
