package dev.eventing.sdk.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import dev.eventing.sdk.projector.DeliverPolicy;
import dev.eventing.sdk.projector.Ordering;
import dev.eventing.sdk.projector.Parking;
import dev.eventing.sdk.projector.Source;

/**
 * Makes a method of a Spring bean the handler of events from a durable JetStream
 * consumer, or from the event store.
 *
 * <p>
 * Each event's row in {@code processed_events} is inserted and the method runs in one
 * transaction, on a thread of the projector; the delivery is settled after that
 * transaction ended. A duplicate does not reach the method. What the method throws rolls
 * the transaction back and is an attempt; after {@link #maxDeliver()} attempts the event
 * is a dead letter. A crash anywhere leaves either both the row and the method's changes,
 * or neither.
 *
 * <p>
 * Signatures: {@code (E event, UUID eventId, String tenantId)} and {@code (E event)},
 * both also with {@code Event<E>} in place of {@code E} and {@code TenantId} in place of
 * {@code String}; for several events in one call {@code (List<Event<E>> events)}. Where
 * {@code E} is sealed, the handler takes the events of all classes it permits. Each may
 * be followed by a {@link dev.eventing.sdk.projector.ReadModelWriter ReadModelWriter},
 * which takes writes that the projector carries out before the commit, those of many
 * events at a time. With {@code JsonNode} as {@code E} the handler takes every event no
 * other handler of its projector takes. The method returns nothing, and is neither
 * private nor static. It may be {@code @Transactional} as long as it stays in the
 * transaction it is called in.
 *
 * <p>
 * The bean is a singleton or has a scoped proxy; a lazy one is created at start-up.
 * Whatever cannot be run is reported in one {@link ProjectorConfigurationException} at
 * start-up, and by the compiler where it runs annotation processors.
 *
 * <p>
 * Handlers that share a {@link #projectorName()}, or a class-level {@link Projector},
 * share one durable; attributes they set must agree. String attributes resolve
 * {@code ${}} placeholders and {@code #{}} expressions. A property
 * {@code eventing.projectors.<name>.*} wins over what is said here, which wins over
 * {@code eventing.projector.defaults.*}.
 */
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface ProjectorEventHandler {

	/**
	 * In a number attribute: nothing is said here. Not -1, which says "unlimited" to
	 * those who know NATS and must be refused, not overheard.
	 */
	int UNSET = Integer.MIN_VALUE;

	/**
	 * The NATS subject to listen to. <code>{tenant}</code> stands for one token, from
	 * which the tenant is taken; {@code *} and {@code >} are wildcards.
	 */
	String subject();

	/** The projector's name; empty means <code>{ClassName}-{methodName}</code>. */
	String projectorName() default "";

	/** The durable consumer's name; empty means <code>{projectorName}-consumer</code>. */
	String durableName() default "";

	/** The stream; empty means the one that carries the subject. */
	String stream() default "";

	/** Where a projector that has never run begins; unless said, at the first event. */
	DeliverPolicy deliverPolicy() default DeliverPolicy.INHERIT;

	/** How often an event is tried before it is a dead letter; unless said, 3. */
	int maxDeliver() default UNSET;

	/**
	 * Milliseconds the server waits for a settlement or a sign of life; unless said,
	 * 30000.
	 */
	long ackWait() default UNSET;

	/** How many deliveries may be unsettled at once; unless said, 4000. */
	int maxAckPending() default UNSET;

	/**
	 * How many bytes the events that are held at once may have, as they are on the wire;
	 * exceeded by at most one event, so that a larger one gets through. Unless said, 32
	 * MiB.
	 */
	long maxInFlightBytes() default UNSET;

	/**
	 * The type of the event; unless said, that of the first parameter. A sealed type
	 * stands for all that it permits.
	 */
	Class<?> eventType() default Void.class;

	/** Milliseconds before the second attempt; unless said, 1000. */
	long retryDelay() default UNSET;

	/** By what the delay grows with each further attempt; unless said, 2. */
	double retryMultiplier() default UNSET;

	/** The longest delay in milliseconds; unless said, 60000. */
	long retryMaxDelay() default UNSET;

	/** Only these exceptions (and their subclasses) are retried; empty means all. */
	Class<? extends Throwable>[] retryFor() default {};

	/**
	 * These exceptions (and their subclasses) make a dead letter at the first attempt.
	 */
	Class<? extends Throwable>[] noRetryFor() default {};

	/** The most events in one transaction; unless said, 1000. */
	int batchSize() default UNSET;

	/**
	 * How many lanes work side by side, each owning some keys; unless said, 2. So a
	 * handler may run for events of different keys at once.
	 */
	int concurrency() default UNSET;

	/**
	 * Where the events are read; unless said, from JetStream. A projector that reads the
	 * event store needs no NATS, and has no use for {@link #durableName()},
	 * {@link #stream()} and {@link #ackWait()}.
	 */
	Source source() default Source.INHERIT;

	/** What order is kept; unless said, per key. */
	Ordering ordering() default Ordering.INHERIT;

	/**
	 * A SpEL expression over the {@link dev.eventing.sdk.event.Event} that gives the key
	 * order is kept by, such as {@code payload.customerId}; empty means the event's own
	 * key.
	 */
	String key() default "";

	/**
	 * What becomes of later events of a dead letter's key; unless said, they are parked
	 * behind it where order is kept.
	 */
	Parking parking() default Parking.INHERIT;

	/**
	 * How many open dead letters a key may have before its events wait instead of being
	 * parked; unless said, 1000.
	 */
	int parkingLimit() default UNSET;

	/**
	 * Dead letters of these exceptions (and their subclasses) are redriven without being
	 * asked for; empty means none.
	 */
	Class<? extends Throwable>[] redriveFor() default {};

	/**
	 * Milliseconds before the first of these redrives; unless said, 60000. Doubles with
	 * each, up to an hour.
	 */
	long redriveDelay() default UNSET;

	/** How many redrives a letter gets by itself; unless said, 5. */
	int redriveLimit() default UNSET;

}
