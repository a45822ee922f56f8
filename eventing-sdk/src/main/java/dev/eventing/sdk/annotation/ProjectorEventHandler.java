package dev.eventing.sdk.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import dev.eventing.sdk.InvalidDeclarationException;
import dev.eventing.sdk.projector.DeliverPolicy;
import dev.eventing.sdk.projector.Ordering;
import dev.eventing.sdk.projector.Parking;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.projector.Tenancy;

/**
 * Declares a method of a Spring bean as the handler of events from a durable JetStream
 * consumer or from the event store.
 *
 * <p>
 * The projector inserts the event's row into {@code processed_events} and calls the
 * method in one transaction, on one of its threads. It settles the delivery after that
 * transaction has ended. The method is not called for a duplicate. An exception of the
 * method rolls the transaction back. It counts as an attempt if the event failed alone
 * and the failure is not transient. After {@link #maxDeliver()} attempts the event
 * becomes a dead letter. After a crash the database has both the row and the method's
 * changes, or neither.
 *
 * <p>
 * Signatures:
 * <ul>
 * <li>{@code (E event, UUID eventId, String tenantId)} and {@code (E event)}, also with
 * {@code Event<E>} in place of {@code E} and {@code TenantId} in place of
 * {@code String}</li>
 * <li>{@code (List<Event<E>> events)}, for several events in one call</li>
 * </ul>
 * Each signature may end with a {@link dev.eventing.sdk.projector.ReadModelWriter
 * ReadModelWriter}. The projector executes the writes that handlers queue there before
 * the commit, those of many events together. With
 * {@link dev.eventing.sdk.projector.Effects Effects} a handler of single events appends
 * events to the event store, and a {@link dev.eventing.sdk.projector.HandlerMode
 * HandlerMode} says why it gets an event. If {@code E} is sealed, the handler takes the
 * events of all classes it permits. With {@code JsonNode} as {@code E} the handler takes
 * every event that no other handler of its projector takes. The method returns nothing,
 * and is neither private nor static. It may be {@code @Transactional} if it joins the
 * transaction in which the projector calls it.
 *
 * <p>
 * The bean is a singleton or has a scoped proxy. A lazy bean is created at start-up. One
 * {@link InvalidDeclarationException} at start-up reports all invalid handlers. The
 * compiler reports them too if it runs annotation processors.
 *
 * <p>
 * Handlers that share a {@link #projectorName()}, or a class-level {@link Projector},
 * share one durable. The attributes that they set must be equal. String attributes
 * resolve {@code ${}} placeholders and {@code #{}} expressions. A property
 * {@code eventing.projectors.<name>.*} overrides the annotation, and the annotation
 * overrides {@code eventing.projector.defaults.*}.
 */
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface ProjectorEventHandler {

	/**
	 * The value of a number attribute that is not set. It is not -1, because -1 means
	 * "unlimited" in NATS: the projector must reject it rather than ignore it.
	 */
	int UNSET = Integer.MIN_VALUE;

	/**
	 * The NATS subject to listen to. <code>{tenant}</code> stands for one token, which is
	 * the tenant. {@code *} and {@code >} are wildcards. With <code>{type}</code> the
	 * handler listens to one subject for each name of the types that it takes, aliases
	 * included; a handler of several events then gets those of one type per call.
	 */
	String subject();

	/** The projector's name. Empty means <code>{ClassName}-{methodName}</code>. */
	String projectorName() default "";

	/** The durable consumer's name. Empty means <code>{projectorName}-consumer</code>. */
	String durableName() default "";

	/** The stream. Empty means the stream that carries the subject. */
	String stream() default "";

	/** Where a new projector begins. Default: at the first event. */
	DeliverPolicy deliverPolicy() default DeliverPolicy.INHERIT;

	/** The number of attempts before an event becomes a dead letter. Default: 3. */
	int maxDeliver() default UNSET;

	/**
	 * How long the server waits for an ack or an in-progress signal, in milliseconds.
	 * Default: 30000.
	 */
	long ackWait() default UNSET;

	/** The most deliveries that may be unsettled at once. Default: 4000. */
	int maxAckPending() default UNSET;

	/**
	 * The most bytes that the events in flight may have together, by their size on the
	 * wire. At most one event may exceed the limit, so that a larger event can pass.
	 * Default: 32 MiB.
	 */
	long maxInFlightBytes() default UNSET;

	/**
	 * The type of the event. Default: the type of the first parameter. A sealed type
	 * stands for all types that it permits.
	 */
	Class<?> eventType() default Void.class;

	/** The delay before the second attempt, in milliseconds. Default: 1000. */
	long retryDelay() default UNSET;

	/** The factor by which the delay grows with each further attempt. Default: 2. */
	double retryMultiplier() default UNSET;

	/** The longest delay, in milliseconds. Default: 60000. */
	long retryMaxDelay() default UNSET;

	/** Only these exceptions and their subclasses are retried. Empty means all. */
	Class<? extends Throwable>[] retryFor() default {};

	/**
	 * After one of these exceptions or their subclasses, the event becomes a dead letter
	 * at the first attempt.
	 */
	Class<? extends Throwable>[] noRetryFor() default {};

	/** The most events in one transaction. Default: 1000. */
	int batchSize() default UNSET;

	/**
	 * The number of lanes. The lanes work in parallel, each on its own keys. So a handler
	 * may run for events of different keys at the same time. Default: 2.
	 */
	int concurrency() default UNSET;

	/**
	 * Where the projector reads its events. Default: from JetStream. A projector that
	 * reads the event store does not need NATS, and does not use {@link #durableName()},
	 * {@link #stream()} and {@link #ackWait()}.
	 */
	Source source() default Source.INHERIT;

	/** Which order the projector keeps. Default: per key. */
	Ordering ordering() default Ordering.INHERIT;

	/**
	 * Whether a transaction may have events of several tenants. Default: it may, and
	 * nothing knows a current tenant.
	 */
	Tenancy tenancy() default Tenancy.INHERIT;

	/**
	 * A SpEL expression over the {@link dev.eventing.sdk.event.Event} that returns the
	 * ordering key, such as {@code payload.customerId}. Empty means the event's own
	 * ordering key.
	 */
	String key() default "";

	/**
	 * What happens to later events of a dead letter's key. Default: with
	 * {@link Ordering#PER_KEY} they are parked, with {@link Ordering#NONE} they are
	 * applied.
	 */
	Parking parking() default Parking.INHERIT;

	/**
	 * The most open dead letters that a key may have. Above this limit its events wait in
	 * place and are not parked. Default: 1000.
	 */
	int parkingLimit() default UNSET;

	/**
	 * The projector automatically redrives dead letters of these exceptions and their
	 * subclasses. Empty means none.
	 */
	Class<? extends Throwable>[] redriveFor() default {};

	/**
	 * The delay before the first automatic redrive, in milliseconds. It doubles with each
	 * further one, up to an hour. Default: 60000.
	 */
	long redriveDelay() default UNSET;

	/**
	 * A letter that has had this many redrives gets no further automatic one. Default: 5.
	 */
	int redriveLimit() default UNSET;

}
