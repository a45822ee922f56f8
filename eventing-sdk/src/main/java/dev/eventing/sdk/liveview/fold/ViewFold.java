package dev.eventing.sdk.liveview.fold;

import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.liveview.InvalidLiveKeyException;
import dev.eventing.sdk.liveview.InvalidLiveViewException;
import dev.eventing.sdk.liveview.LiveFrame;
import dev.eventing.sdk.liveview.LiveStateFormException;
import dev.eventing.sdk.liveview.LiveStateTooLargeException;
import dev.eventing.sdk.liveview.LiveVersion;
import dev.eventing.sdk.liveview.LiveViewDefinition;
import dev.eventing.sdk.liveview.frame.MergePatch;
import dev.eventing.sdk.liveview.frame.WireForm;
import dev.eventing.sdk.liveview.ledger.LiveStates.Address;
import dev.eventing.sdk.liveview.ledger.LiveStates.Changed;
import dev.eventing.sdk.liveview.ledger.LiveStates.Stored;
import dev.eventing.sdk.projector.StateForm;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.NullNode;

/**
 * Folds events into the states of a view. Reads and writes nothing but objects.
 * Thread-safe.
 *
 * @param <S> the class of the states
 */
public final class ViewFold<S> {

	private static final Logger logger = LoggerFactory.getLogger(ViewFold.class);

	/** A batch may have thousands of changes of one key. */
	static final int MOST_FRAMES = 32;

	/**
	 * The ordering key of a view whose events have several keys: an event that failed
	 * holds back the later ones of each of its keys.
	 */
	public static final String ALL_KEYS = "*";

	/** The most keys that are remembered because they have had their warning. */
	private static final int MOST_WARNINGS = 1000;

	private static final int LONGEST_CHARACTER = 4;

	private final LiveViewDefinition<S> view;

	private final JsonMapper mapper;

	private final int limit;

	private final FoldedTypes<S> types;

	private final @Nullable StateForm states;

	private final Set<Address> warned = ConcurrentHashMap.newKeySet();

	/**
	 * Of a view's definition.
	 * @param limit the most bytes of a state, if the view sets no other limit
	 * @throws InvalidLiveViewException if it folds a type in two ways
	 */
	public ViewFold(LiveViewDefinition<S> view, JsonMapper mapper, int limit) {
		this.view = view;
		this.mapper = mapper;
		Integer own = view.maxStateBytes();
		this.limit = (own != null) ? own : limit;
		this.types = new FoldedTypes<>(view);
		this.states = StateProperties.of(mapper, view.stateType());
	}

	/** The name of the view. */
	public String name() {
		return this.view.name();
	}

	/** The version of the view. */
	public int version() {
		return this.view.version();
	}

	/** The form of its states; null if it is not known. */
	public @Nullable StateForm states() {
		return this.states;
	}

	/** The classes of its events by their types on the wire. */
	public Map<String, Type> classes() {
		return this.types.classes();
	}

	/**
	 * The keys of the states that an event changes, each once and in their order. None if
	 * the view has no interest in it.
	 * @throws InvalidLiveKeyException if a key cannot be stored
	 * @throws IllegalArgumentException if the view does not take the event's type
	 */
	public Collection<String> keysOf(Event<?> event) {
		Collection<String> keys = this.types.of(event).keys().apply(event);
		keys.forEach((key) -> requireKey(name(), key));
		return (keys.size() > 1) ? new TreeSet<>(keys) : keys;
	}

	/**
	 * The ordering key of an event, or null if the view has no interest in it. It is the
	 * event's key, or one for all events of the tenant if they may have several.
	 * @throws InvalidLiveKeyException if a key cannot be stored
	 * @throws IllegalArgumentException if the view does not take the event's type
	 */
	public @Nullable String orderOf(Event<?> event) {
		Collection<String> keys = keysOf(event);
		if (keys.isEmpty()) {
			return null;
		}
		return this.view.hasManyKeys() ? ALL_KEYS : keys.iterator().next();
	}

	/**
	 * Refuses a key that no state can have: the database refuses each statement with it.
	 * @throws InvalidLiveKeyException if the key cannot be stored
	 */
	public static void requireKey(String view, @Nullable String key) {
		String problem = problem(key);
		if (problem != null) {
			throw new InvalidLiveKeyException(view, problem);
		}
	}

	private static @Nullable String problem(@Nullable String key) {
		if (key == null) {
			return "is null";
		}
		if (key.isEmpty()) {
			return "is empty";
		}
		if (!isStorable(key)) {
			return "has a character that the database refuses";
		}
		return isLonger(key, InvalidLiveKeyException.MAX_BYTES)
				? "has " + key.getBytes(StandardCharsets.UTF_8).length + " bytes" : null;
	}

	private static boolean isStorable(String key) {
		boolean plain = true;
		for (int at = 0; at < key.length(); at++) {
			char character = key.charAt(at);
			if (character == 0) {
				return false;
			}
			plain = plain && !Character.isSurrogate(character);
		}
		return plain || StandardCharsets.UTF_8.newEncoder().canEncode(key);
	}

	private static boolean isLonger(String text, int bytes) {
		return text.length() > bytes
				|| (text.length() > bytes / LONGEST_CHARACTER && text.getBytes(StandardCharsets.UTF_8).length > bytes);
	}

	/**
	 * Folds events of one key, in their order.
	 * @param stored the state before, or null if there is none
	 * @param liveEpoch the live epoch of the frames, or null to make none
	 * @throws LiveStateTooLargeException if the state would be too large
	 * @throws LiveStateFormException if the state before does not fit the class of states
	 */
	Folded fold(Address address, @Nullable Stored stored, List<Event<?>> events, @Nullable Long liveEpoch) {
		JsonNode tree = (stored != null) ? this.mapper.readTree(stored.json()) : NullNode.getInstance();
		long before = (stored != null) ? stored.version() : 0;
		Deltas deltas = new Deltas(liveEpoch, tree, before, events.size());
		S state = tree.isNull() ? this.view.initial().get() : bound(address, tree);
		for (Event<?> event : events) {
			S next = this.types.of(event).apply().apply(state, event, address.key());
			requireState(next, event);
			deltas.add(state, next, event);
			state = next;
		}
		JsonNode last = deltas.last(state);
		long version = before + events.size();
		return new Folded(new Changed(address, json(address, last), before, version), deltas.frames(last, version),
				last);
	}

	/** Jackson, or code of the state itself, may quote the state in what it throws. */
	private S bound(Address address, JsonNode tree) {
		try {
			return this.mapper.treeToValue(tree, this.view.stateType());
		}
		catch (RuntimeException ex) {
			throw new LiveStateFormException(address.tenant(), name(), address.key(), this.view.stateType(),
					ex.getClass().getSimpleName());
		}
	}

	private void requireState(@Nullable S state, Event<?> event) {
		if (state == null) {
			throw new InvalidLiveViewException("Live view '" + name() + "' returned null as the state after "
					+ event.type() + ". Consider the state before, or an empty one.");
		}
	}

	/**
	 * Replaces the state of a key by what the events fold to.
	 * @param stored the state before, or null if there is none
	 * @throws LiveStateTooLargeException if the state would be too large
	 */
	public Folded rebuild(Address address, @Nullable Stored stored, List<? extends Event<?>> events, long liveEpoch) {
		S state = this.view.initial().get();
		for (Event<?> event : events) {
			state = this.types.of(event).apply().apply(state, event, address.key());
			requireState(state, event);
		}
		JsonNode tree = tree(state);
		long before = (stored != null) ? stored.version() : 0;
		LiveFrame frame = new LiveFrame(LiveFrame.REBUILD, before, new LiveVersion(liveEpoch, before + 1), false,
				WireForm.pushed(tree).toString());
		return new Folded(new Changed(address, json(address, tree), before, before + 1), List.of(frame), tree);
	}

	private JsonNode tree(S state) {
		return WireForm.stored(this.mapper.valueToTree(state));
	}

	private String json(Address address, JsonNode tree) {
		String json = tree.toString();
		if (isLonger(json, this.limit / 2)) {
			int bytes = json.getBytes(StandardCharsets.UTF_8).length;
			if (bytes > this.limit) {
				throw new LiveStateTooLargeException(address.tenant(), name(), address.key(), bytes, this.limit);
			}
			if (this.warned.size() < MOST_WARNINGS && this.warned.add(address)) {
				logger.warn(
						"The state of key '{}' of tenant '{}' in live view '{}' has {} bytes as JSON, more than half of"
								+ " its limit of {}. Events that make it larger than that become dead letters.",
						address.key(), address.tenant(), name(), bytes, this.limit);
			}
		}
		return json;
	}

	/**
	 * The result of folding events of one key.
	 *
	 * @param state the state, as it is stored
	 */
	public record Folded(Changed changed, List<LiveFrame> frames, JsonNode state) {
	}

	/** Makes the frames of one key in one batch. */
	private final class Deltas {

		private final @Nullable Long liveEpoch;

		private final JsonNode first;

		private final boolean each;

		private JsonNode tree;

		private long version;

		private final List<LiveFrame> frames = new ArrayList<>();

		private Deltas(@Nullable Long liveEpoch, JsonNode first, long version, int events) {
			this.liveEpoch = liveEpoch;
			this.first = first;
			this.each = liveEpoch != null && events <= MOST_FRAMES;
			this.tree = first;
			this.version = version;
		}

		void add(S before, S after, Event<?> event) {
			Long epoch = this.liveEpoch;
			if (!this.each || epoch == null) {
				return;
			}
			LiveViewDefinition.Delta<S> own = ViewFold.this.view.delta();
			JsonNode payload;
			if (own != null) {
				payload = ViewFold.this.mapper.valueToTree(own.of(before, after, event));
			}
			else {
				JsonNode next = tree(after);
				payload = MergePatch.between(this.tree, next);
				this.tree = next;
			}
			this.frames.add(new LiveFrame(ViewFold.this.view.event(), this.version,
					new LiveVersion(epoch, ++this.version), own != null, WireForm.pushed(payload).toString()));
		}

		/** The last state. The last delta may have made its JSON already. */
		JsonNode last(S state) {
			boolean known = this.each && ViewFold.this.view.delta() == null;
			return known ? this.tree : tree(state);
		}

		/** Beyond a number of changes one frame stands for all of them. */
		List<LiveFrame> frames(JsonNode last, long until) {
			Long epoch = this.liveEpoch;
			if (this.each || epoch == null) {
				return this.frames;
			}
			LiveVersion reached = new LiveVersion(epoch, until);
			return List.of((ViewFold.this.view.delta() == null)
					? new LiveFrame(ViewFold.this.view.event(), this.version, reached, false,
							WireForm.pushed(MergePatch.between(this.first, last)).toString())
					: new LiveFrame(LiveFrame.REBUILD, this.version, reached, false, null));
		}

	}

}
