package dev.eventing.sdk.projector;

import java.time.Duration;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Makes {@link ProjectorSettings}. Null takes back what was said. Not thread-safe.
 */
public final class ProjectorSettingsBuilder {

	private @Nullable DeliverPolicy deliverPolicy;

	private @Nullable Source source;

	private @Nullable UnknownTypePolicy unknownType;

	private @Nullable NewHandlersPolicy newHandlers;

	private @Nullable Ordering ordering;

	private @Nullable String key;

	private @Nullable Duration ackWait;

	private @Nullable Integer maxAckPending;

	private @Nullable Integer batchSize;

	private @Nullable Integer concurrency;

	private @Nullable Long maxInFlightBytes;

	private @Nullable Duration stalledAfter;

	private @Nullable Integer maxDeliver;

	private @Nullable Duration retryDelay;

	private @Nullable Double retryMultiplier;

	private @Nullable Duration retryMaxDelay;

	private @Nullable Set<Class<? extends Throwable>> retryFor;

	private @Nullable Set<Class<? extends Throwable>> noRetryFor;

	private DeadLetterSettings deadLetters;

	ProjectorSettingsBuilder(ProjectorSettings settings) {
		this.deliverPolicy = settings.deliverPolicy();
		this.source = settings.source();
		this.unknownType = settings.unknownType();
		this.newHandlers = settings.newHandlers();
		this.ordering = settings.order().ordering();
		this.key = settings.order().key();
		this.ackWait = settings.flow().ackWait();
		this.maxAckPending = settings.flow().maxAckPending();
		this.batchSize = settings.flow().batchSize();
		this.concurrency = settings.flow().concurrency();
		this.maxInFlightBytes = settings.flow().maxInFlightBytes();
		this.stalledAfter = settings.flow().stalledAfter();
		this.maxDeliver = settings.retry().maxDeliver();
		this.retryDelay = settings.retry().delay();
		this.retryMultiplier = settings.retry().multiplier();
		this.retryMaxDelay = settings.retry().maxDelay();
		this.retryFor = settings.retry().retryFor();
		this.noRetryFor = settings.retry().noRetryFor();
		this.deadLetters = settings.deadLetters();
	}

	/** Where a new projector begins. */
	public ProjectorSettingsBuilder deliverPolicy(@Nullable DeliverPolicy deliverPolicy) {
		this.deliverPolicy = deliverPolicy;
		return this;
	}

	/** Where its events are read. */
	public ProjectorSettingsBuilder source(@Nullable Source source) {
		this.source = source;
		return this;
	}

	/** What happens to events that no handler takes. */
	public ProjectorSettingsBuilder unknownType(@Nullable UnknownTypePolicy unknownType) {
		this.unknownType = unknownType;
		return this;
	}

	/** What a handler gets of the events that were passed over before. */
	public ProjectorSettingsBuilder newHandlers(@Nullable NewHandlersPolicy newHandlers) {
		this.newHandlers = newHandlers;
		return this;
	}

	/** What order is kept. */
	public ProjectorSettingsBuilder ordering(@Nullable Ordering ordering) {
		this.ordering = ordering;
		return this;
	}

	/** A SpEL expression over the event that gives the ordering key. */
	public ProjectorSettingsBuilder key(@Nullable String key) {
		this.key = key;
		return this;
	}

	/** How long the server waits for a settlement or a sign of life. */
	public ProjectorSettingsBuilder ackWait(@Nullable Duration ackWait) {
		this.ackWait = ackWait;
		return this;
	}

	/** How many deliveries may be unsettled at once. */
	public ProjectorSettingsBuilder maxAckPending(@Nullable Integer maxAckPending) {
		this.maxAckPending = maxAckPending;
		return this;
	}

	/** The most events in one transaction. */
	public ProjectorSettingsBuilder batchSize(@Nullable Integer batchSize) {
		this.batchSize = batchSize;
		return this;
	}

	/** How many lanes work side by side. */
	public ProjectorSettingsBuilder concurrency(@Nullable Integer concurrency) {
		this.concurrency = concurrency;
		return this;
	}

	/** How many bytes the events in flight may have. */
	public ProjectorSettingsBuilder maxInFlightBytes(@Nullable Long maxInFlightBytes) {
		this.maxInFlightBytes = maxInFlightBytes;
		return this;
	}

	/**
	 * After how long without a settled event it is {@link ProjectorState#STALLED} while
	 * there is work.
	 */
	public ProjectorSettingsBuilder stalledAfter(@Nullable Duration stalledAfter) {
		this.stalledAfter = stalledAfter;
		return this;
	}

	/** How often the handler is tried before the event is a dead letter. */
	public ProjectorSettingsBuilder maxDeliver(@Nullable Integer maxDeliver) {
		this.maxDeliver = maxDeliver;
		return this;
	}

	/** The delay after the first failed attempt. */
	public ProjectorSettingsBuilder retryDelay(@Nullable Duration retryDelay) {
		this.retryDelay = retryDelay;
		return this;
	}

	/** By what the delay grows with each further attempt, at least 1. */
	public ProjectorSettingsBuilder retryMultiplier(@Nullable Double retryMultiplier) {
		this.retryMultiplier = retryMultiplier;
		return this;
	}

	/** The longest delay. */
	public ProjectorSettingsBuilder retryMaxDelay(@Nullable Duration retryMaxDelay) {
		this.retryMaxDelay = retryMaxDelay;
		return this;
	}

	/** Only these exceptions are retried; empty means all. */
	public ProjectorSettingsBuilder retryFor(@Nullable Set<Class<? extends Throwable>> retryFor) {
		this.retryFor = retryFor;
		return this;
	}

	/** These exceptions are never retried. */
	public ProjectorSettingsBuilder noRetryFor(@Nullable Set<Class<? extends Throwable>> noRetryFor) {
		this.noRetryFor = noRetryFor;
		return this;
	}

	/** What becomes of its dead letters. */
	public ProjectorSettingsBuilder deadLetters(DeadLetterSettings deadLetters) {
		this.deadLetters = deadLetters;
		return this;
	}

	/** The settings as they were said up to now. */
	public ProjectorSettings build() {
		return new ProjectorSettings(this.deliverPolicy, this.source, this.unknownType, this.newHandlers,
				new ProjectorSettings.Order(this.ordering, this.key),
				new ProjectorSettings.Flow(this.ackWait, this.maxAckPending, this.batchSize, this.concurrency,
						this.maxInFlightBytes, this.stalledAfter),
				new ProjectorSettings.Retry(this.maxDeliver, this.retryDelay, this.retryMultiplier, this.retryMaxDelay,
						this.retryFor, this.noRetryFor),
				this.deadLetters);
	}

}
