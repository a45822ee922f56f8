package dev.eventing.sdk.projector;

import java.time.Duration;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Builds {@link ProjectorSettings}. Null removes a value. Not thread-safe.
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

	private @Nullable Tenancy tenancy;

	private @Nullable Integer maxDeliver;

	private @Nullable Duration retryDelay;

	private @Nullable Double retryMultiplier;

	private @Nullable Duration retryMaxDelay;

	private @Nullable Set<Class<? extends Throwable>> retryFor;

	private @Nullable Set<Class<? extends Throwable>> noRetryFor;

	private @Nullable RepeatedFailurePolicy onRepeatedFailure;

	private @Nullable Integer repeatedFailures;

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
		this.tenancy = settings.flow().tenancy();
		this.maxDeliver = settings.retry().maxDeliver();
		this.retryDelay = settings.retry().delay();
		this.retryMultiplier = settings.retry().multiplier();
		this.retryMaxDelay = settings.retry().maxDelay();
		this.retryFor = settings.retry().retryFor();
		this.noRetryFor = settings.retry().noRetryFor();
		this.onRepeatedFailure = settings.retry().onRepeatedFailure();
		this.repeatedFailures = settings.retry().repeatedFailures();
		this.deadLetters = settings.deadLetters();
	}

	/** Where a new projector begins. */
	public ProjectorSettingsBuilder deliverPolicy(@Nullable DeliverPolicy deliverPolicy) {
		this.deliverPolicy = deliverPolicy;
		return this;
	}

	/** Where it reads its events. */
	public ProjectorSettingsBuilder source(@Nullable Source source) {
		this.source = source;
		return this;
	}

	/** What happens to events that no handler takes. */
	public ProjectorSettingsBuilder unknownType(@Nullable UnknownTypePolicy unknownType) {
		this.unknownType = unknownType;
		return this;
	}

	/** Which skipped events a new handler gets. */
	public ProjectorSettingsBuilder newHandlers(@Nullable NewHandlersPolicy newHandlers) {
		this.newHandlers = newHandlers;
		return this;
	}

	/** The order. */
	public ProjectorSettingsBuilder ordering(@Nullable Ordering ordering) {
		this.ordering = ordering;
		return this;
	}

	/** A SpEL expression over the event that returns the ordering key. */
	public ProjectorSettingsBuilder key(@Nullable String key) {
		this.key = key;
		return this;
	}

	/** How long the server waits for an ack or an in-progress signal. */
	public ProjectorSettingsBuilder ackWait(@Nullable Duration ackWait) {
		this.ackWait = ackWait;
		return this;
	}

	/** The most deliveries that may be unsettled at once. */
	public ProjectorSettingsBuilder maxAckPending(@Nullable Integer maxAckPending) {
		this.maxAckPending = maxAckPending;
		return this;
	}

	/** The most events in one transaction. */
	public ProjectorSettingsBuilder batchSize(@Nullable Integer batchSize) {
		this.batchSize = batchSize;
		return this;
	}

	/** The number of lanes, which work in parallel. */
	public ProjectorSettingsBuilder concurrency(@Nullable Integer concurrency) {
		this.concurrency = concurrency;
		return this;
	}

	/** The most bytes of the events in flight. */
	public ProjectorSettingsBuilder maxInFlightBytes(@Nullable Long maxInFlightBytes) {
		this.maxInFlightBytes = maxInFlightBytes;
		return this;
	}

	/**
	 * The time without progress, while there is work, after which the projector is
	 * {@link ProjectorState#STALLED}.
	 */
	public ProjectorSettingsBuilder stalledAfter(@Nullable Duration stalledAfter) {
		this.stalledAfter = stalledAfter;
		return this;
	}

	/** Whether a transaction may have events of several tenants. */
	public ProjectorSettingsBuilder tenancy(@Nullable Tenancy tenancy) {
		this.tenancy = tenancy;
		return this;
	}

	/** The number of attempts before the event becomes a dead letter. */
	public ProjectorSettingsBuilder maxDeliver(@Nullable Integer maxDeliver) {
		this.maxDeliver = maxDeliver;
		return this;
	}

	/** The delay after the first failed attempt. */
	public ProjectorSettingsBuilder retryDelay(@Nullable Duration retryDelay) {
		this.retryDelay = retryDelay;
		return this;
	}

	/** The factor by which the delay grows with each further attempt, at least 1. */
	public ProjectorSettingsBuilder retryMultiplier(@Nullable Double retryMultiplier) {
		this.retryMultiplier = retryMultiplier;
		return this;
	}

	/** The longest delay. */
	public ProjectorSettingsBuilder retryMaxDelay(@Nullable Duration retryMaxDelay) {
		this.retryMaxDelay = retryMaxDelay;
		return this;
	}

	/** Only these exceptions are retried. Empty means all. */
	public ProjectorSettingsBuilder retryFor(@Nullable Set<Class<? extends Throwable>> retryFor) {
		this.retryFor = retryFor;
		return this;
	}

	/** These exceptions are never retried. */
	public ProjectorSettingsBuilder noRetryFor(@Nullable Set<Class<? extends Throwable>> noRetryFor) {
		this.noRetryFor = noRetryFor;
		return this;
	}

	/** What happens if the first events since a start all fail for one reason. */
	public ProjectorSettingsBuilder onRepeatedFailure(@Nullable RepeatedFailurePolicy onRepeatedFailure) {
		this.onRepeatedFailure = onRepeatedFailure;
		return this;
	}

	/** How many different events must fail for that. */
	public ProjectorSettingsBuilder repeatedFailures(@Nullable Integer repeatedFailures) {
		this.repeatedFailures = repeatedFailures;
		return this;
	}

	/** What happens to its dead letters. */
	public ProjectorSettingsBuilder deadLetters(DeadLetterSettings deadLetters) {
		this.deadLetters = deadLetters;
		return this;
	}

	/** Returns the settings. */
	public ProjectorSettings build() {
		return new ProjectorSettings(this.deliverPolicy, this.source, this.unknownType, this.newHandlers,
				new ProjectorSettings.Order(this.ordering, this.key),
				new ProjectorSettings.Flow(this.ackWait, this.maxAckPending, this.batchSize, this.concurrency,
						this.maxInFlightBytes, this.stalledAfter, this.tenancy),
				new ProjectorSettings.Retry(this.maxDeliver, this.retryDelay, this.retryMultiplier, this.retryMaxDelay,
						this.retryFor, this.noRetryFor, this.onRepeatedFailure, this.repeatedFailures),
				this.deadLetters);
	}

}
