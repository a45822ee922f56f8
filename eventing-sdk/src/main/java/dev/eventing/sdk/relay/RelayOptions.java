package dev.eventing.sdk.relay;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

import dev.eventing.sdk.InvalidOptionsException;
import dev.eventing.sdk.event.EventSubjects;

/**
 * What one relay publishes and how. A relay saves its position under its name. With
 * another name it starts at the first event of the store.
 *
 * @param name letters, digits, {@code _} and {@code -}
 * @param subjects how the subject of an event is made
 * @param categories the categories of streams it publishes; empty for all. The position
 * moves past what is left out.
 * @param bounds how much it holds at once
 * @param publishMode event by event, or in atomic batches
 * @param refusedEvents what happens to the stream of an event that cannot be published
 * @param longestPoll the longest pause between two polls for events without a signal; the
 * first pause is one millisecond
 * @param stalledAfter the time without a publish, while there are events to publish,
 * after which the relay is {@link RelayState#STALLED}
 */
public record RelayOptions(String name, EventSubjects subjects, Set<String> categories, Bounds bounds,
		PublishMode publishMode, RefusedEvents refusedEvents, Duration longestPoll, Duration stalledAfter) {

	/** The default name. */
	public static final String DEFAULT_NAME = "default";

	/** The default window. */
	public static final int DEFAULT_WINDOW = 2000;

	/** The default of {@link Bounds#bytes}: 64 MiB. */
	public static final long DEFAULT_WINDOW_BYTES = 64L << 20;

	/** The default page size. */
	public static final int DEFAULT_PAGE_SIZE = 500;

	/** The default of {@link #longestPoll}: 100 ms. */
	public static final Duration DEFAULT_LONGEST_POLL = Duration.ofMillis(100);

	/** The default of {@link #stalledAfter}: 5 minutes. */
	public static final Duration DEFAULT_STALLED_AFTER = Duration.ofMinutes(5);

	private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,200}");

	/**
	 * Checks the values.
	 * @throws InvalidOptionsException names every value that is out of range
	 */
	public RelayOptions {
		categories = Set.copyOf(categories);
		List<String> problems = new ArrayList<>();
		if (!NAME.matcher(name).matches()) {
			problems.add("'name' must be 1 to 200 letters, digits, '_' or '-', was '" + name + "'");
		}
		if (categories.stream().anyMatch((category) -> category.isBlank() || category.contains("-"))) {
			problems.add("'categories' must name what stands before the first '-' of a stream id, was " + categories);
		}
		bounds.addProblems(problems);
		if (longestPoll.toMillis() < 1) {
			problems.add("'longestPoll' must be at least 1 ms, was " + longestPoll);
		}
		if (stalledAfter.toMillis() < 1) {
			problems.add("'stalledAfter' must be at least 1 ms, was " + stalledAfter);
		}
		if (!problems.isEmpty()) {
			throw invalid(name, problems);
		}
	}

	static InvalidOptionsException invalid(String relay, List<String> problems) {
		return new InvalidOptionsException("relay '" + relay + "'",
				"in a RelayOptions bean, or by the properties 'eventing.relays." + relay + ".*'", problems);
	}

	/** A relay of this name with default options. */
	public static RelayOptions named(String name) {
		return new RelayOptions(name, EventSubjects.DEFAULT, Set.of(), Bounds.DEFAULTS, PublishMode.ASYNC,
				RefusedEvents.STOP_STREAM, DEFAULT_LONGEST_POLL, DEFAULT_STALLED_AFTER);
	}

	/** A relay of all events under the name {@value #DEFAULT_NAME}. */
	public static RelayOptions defaults() {
		return named(DEFAULT_NAME);
	}

	/** The same options with another subject pattern, see {@link EventSubjects}. */
	public RelayOptions withSubjects(String pattern) {
		return new RelayOptions(this.name, EventSubjects.of(pattern), this.categories, this.bounds, this.publishMode,
				this.refusedEvents, this.longestPoll, this.stalledAfter);
	}

	/** The same options for streams of these categories only. */
	public RelayOptions withCategories(String... names) {
		return new RelayOptions(this.name, this.subjects, Set.of(names), this.bounds, this.publishMode,
				this.refusedEvents, this.longestPoll, this.stalledAfter);
	}

	/** The same options with another window and page size. */
	public RelayOptions withWindow(int events, int pageSize) {
		return new RelayOptions(this.name, this.subjects, this.categories,
				new Bounds(events, this.bounds.bytes(), pageSize), this.publishMode, this.refusedEvents,
				this.longestPoll, this.stalledAfter);
	}

	/** The same options with another limit for the payloads' bytes. */
	public RelayOptions withWindowBytes(long bytes) {
		return new RelayOptions(this.name, this.subjects, this.categories,
				new Bounds(this.bounds.events(), bytes, this.bounds.pageSize()), this.publishMode, this.refusedEvents,
				this.longestPoll, this.stalledAfter);
	}

	/** The same options with this publish mode. */
	public RelayOptions with(PublishMode mode) {
		return new RelayOptions(this.name, this.subjects, this.categories, this.bounds, mode, this.refusedEvents,
				this.longestPoll, this.stalledAfter);
	}

	/** The same options with this policy for events that cannot be published. */
	public RelayOptions with(RefusedEvents policy) {
		return new RelayOptions(this.name, this.subjects, this.categories, this.bounds, this.publishMode, policy,
				this.longestPoll, this.stalledAfter);
	}

	/** The same options, stalled after this time without a publish. */
	public RelayOptions withStalledAfter(Duration other) {
		return new RelayOptions(this.name, this.subjects, this.categories, this.bounds, this.publishMode,
				this.refusedEvents, this.longestPoll, other);
	}

	/** Whether this relay publishes the events of the stream. */
	boolean takes(String streamId) {
		return this.categories.isEmpty() || this.categories.contains(EventSubjects.categoryOf(streamId));
	}

	/** The name of its lease. */
	String lease() {
		return "relay/" + this.name;
	}

	/**
	 * How much a relay holds at once.
	 *
	 * @param events the window: the most events from the oldest that is not confirmed to
	 * the newest that is read
	 * @param bytes the most bytes of the payloads in the window and in the page that is
	 * read ahead; the event that reaches it is the last
	 * @param pageSize how many events it reads at once
	 */
	public record Bounds(int events, long bytes, int pageSize) {

		/** The default bounds. */
		public static final Bounds DEFAULTS = new Bounds(DEFAULT_WINDOW, DEFAULT_WINDOW_BYTES, DEFAULT_PAGE_SIZE);

		private static final int LARGEST_WINDOW = 100_000;

		private void addProblems(List<String> problems) {
			if (this.pageSize < 1) {
				problems.add("'pageSize' must be at least 1, was " + this.pageSize);
			}
			if (this.events < this.pageSize || this.events > LARGEST_WINDOW) {
				problems.add("'window' must be from 'pageSize' (" + this.pageSize + ") to " + LARGEST_WINDOW + ", was "
						+ this.events);
			}
			if (this.bytes < 1) {
				problems.add("'windowBytes' must be at least 1, was " + this.bytes);
			}
		}

	}

}
