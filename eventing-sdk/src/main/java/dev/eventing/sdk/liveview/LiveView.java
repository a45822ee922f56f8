package dev.eventing.sdk.liveview;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import dev.eventing.sdk.projector.Source;

/**
 * Makes a bean a live view: a state per tenant and key that is folded from events, and
 * whose changes are pushed to subscribers. The bean has these methods, of any visibility:
 *
 * <ul>
 * <li>{@code S initial()}: the state before the first event of a key</li>
 * <li>{@code String key(E event)}: the key of the state that the event changes, or null
 * if the view has no interest in the event</li>
 * <li>{@code S apply(S state, E event)}: the state after the event, and nothing else: it
 * reads nothing, writes nothing, and may be called again for the same event. It may
 * return the object that it got, changed. A third parameter {@code String} gets the
 * key</li>
 * <li>{@code Collection<String> keys(E event)} in place of {@code key}, if an event
 * changes the states of several keys: all of them or none. Such a view needs
 * {@code concurrency = 1}, and its events of one tenant are applied in one order</li>
 * <li>{@code D delta(S before, S after, E event)}, if clients are to get something else
 * than a JSON merge patch; then {@code apply} must not change the object that it got</li>
 * </ul>
 *
 * <p>
 * {@code E} is the class of an event, a sealed type for all classes that it permits, or
 * an {@code Event} of one of these. There may be several methods {@code key},
 * {@code keys} and {@code apply}, for different classes. For each class there is one
 * {@code key} or {@code keys}, and one {@code apply}.
 *
 * <p>
 * A view is a projector of the same name: it has the same retries, dead letters, leases
 * and generations, and properties {@code eventing.projectors.<name>.*}. Its ordering key
 * is what {@code key} returns; a view with {@code keys} has one per tenant.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface LiveView {

	/** The value of a number attribute that is not set. */
	int UNSET = Integer.MIN_VALUE;

	/** The name of the view, such as {@code warehouse}. It has no dot. */
	String value();

	/**
	 * The subjects of its events. <code>{tenant}</code> stands for one token, which is
	 * the tenant. {@code *} and {@code >} are wildcards.
	 */
	String[] subject();

	/**
	 * The version of the view, which grows when {@code apply} computes other states, and
	 * when the class of the states gains or loses a property.
	 */
	int version() default 1;

	/** The event name of frames with a delta. */
	String event() default LiveViewDefinition.DELTA;

	/**
	 * The most bytes that a state may have as JSON. Not set: that of
	 * {@link LiveViewOptions}.
	 */
	int maxStateBytes() default UNSET;

	/** Where it reads its events: from JetStream or the event store. */
	Source source() default Source.INHERIT;

	/** The stream. Empty means the stream that carries the subjects. */
	String stream() default "";

	/** The number of lanes. Default: as for all projectors. */
	int concurrency() default UNSET;

	/** The most events in one transaction. Default: as for all projectors. */
	int batchSize() default UNSET;

}
