package dev.eventing.sdk.liveview;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

import dev.eventing.sdk.UnknownNameException;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.TenantId;
import org.jspecify.annotations.Nullable;

/**
 * The live views of an application: reads their states, subscribes to changes, and
 * changes states by hand. Reading and subscribing need no definition on this node: any
 * view of the database can be read, by its name. Thread-safe.
 */
public interface LiveViews {

	/**
	 * Defines a view by code, as a {@link LiveViewDefinition} bean or {@link LiveView}
	 * does. Call it before the application context has started, for example from an
	 * {@code InitializingBean}. Later, start the view's projector afterwards, by
	 * {@code ProjectorRegistry.start(name)}.
	 * @throws InvalidLiveViewException if the definition or its settings are not valid,
	 * or another view or projector has the name
	 */
	void define(LiveViewDefinition<?> definition);

	/** The names of the views that this node defines, in order. */
	List<String> names();

	/**
	 * Reads the state of a key. One statement, which takes no lock and joins the caller's
	 * transaction if there is one.
	 * @return empty if the view has no state for the key, or no node has run the view yet
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	Optional<LiveState> read(TenantId tenant, String view, String key);

	/**
	 * Reads the state of a key, as {@link #read} does.
	 * @throws LiveStateNotFoundException if the view has no state for the key
	 */
	LiveState readRequired(TenantId tenant, String view, String key);

	/** Reads the states of several keys by one statement, as {@link #read} does. */
	LiveSnapshot read(TenantId tenant, String view, Collection<String> keys);

	/**
	 * Reads a page of the keys that have states, in the order of their bytes.
	 * @param after the last key of the page before, or null for the first page
	 * @param limit the most keys, at least 1
	 */
	List<String> keys(TenantId tenant, String view, @Nullable String after, int limit);

	/**
	 * Follows a key. The listener gets the present state first, also if it does not exist
	 * yet. If the servers do not answer, the subscription is
	 * {@link LiveViewStatus#CONNECTING} and tries again. A view that makes its own deltas
	 * is read after each change.
	 */
	LiveViewSubscription subscribe(TenantId tenant, String view, String key, LiveViewListener listener);

	/**
	 * The subject of core NATS with the frames of a key, for clients that subscribe
	 * themselves.
	 */
	String subject(TenantId tenant, String view, String key);

	/**
	 * Folds one event by hand, for tests and for scripts. It runs in a transaction of its
	 * own, and pushes the delta after the commit. Nothing records that the event was
	 * applied: a second call applies it again.
	 * @return the states of its keys afterwards, in the order of the keys; empty if the
	 * view has no interest in the event
	 * @throws UnknownNameException if this node does not define the view
	 * @throws LiveStateTooLargeException if the state would be too large
	 * @throws LiveStateFormException if the stored states have another form than in this
	 * node's code
	 */
	List<LiveState> apply(String view, Event<?> event);

	/**
	 * Replaces the state of a key by what the events fold to, in a transaction of its
	 * own, and pushes one {@value LiveFrame#REBUILD} frame with the whole state after the
	 * commit. Without events, the state is deleted and no frame is sent. Events of other
	 * keys or types are refused.
	 * @return the state afterwards, which does not exist without events
	 * @throws UnknownNameException if this node does not define the view
	 * @throws LiveStateTooLargeException if the state would be too large
	 * @throws LiveStateFormException if the stored states have another form than in this
	 * node's code
	 * @throws IllegalArgumentException if an event is not of this tenant and key
	 */
	LiveState rebuild(TenantId tenant, String view, String key, Iterable<? extends Event<?>> events);

}
