package dev.eventing.sdk.liveview;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The state of one key of a live view, at a version. Immutable: do not change what
 * {@link #tree} returns.
 */
public final class LiveState {

	private final String key;

	private final LiveVersion version;

	private final @Nullable JsonNode tree;

	private final @Nullable Instant updatedAt;

	private final JsonMapper mapper;

	/**
	 * Creates a state.
	 * @param tree its JSON in the form that subscribers get, or null if the view has no
	 * state for the key
	 * @param updatedAt when the state was written, or null if that is not known
	 * @param mapper binds the JSON to classes
	 */
	public LiveState(String key, LiveVersion version, @Nullable JsonNode tree, @Nullable Instant updatedAt,
			JsonMapper mapper) {
		this.key = key;
		this.version = version;
		this.tree = tree;
		this.updatedAt = updatedAt;
		this.mapper = mapper;
	}

	/** The key, as the view returned it. */
	public String key() {
		return this.key;
	}

	/** The version; its number is 0 if there is no state. */
	public LiveVersion version() {
		return this.version;
	}

	/** Whether the view has a state for the key. */
	public boolean exists() {
		return this.tree != null;
	}

	/**
	 * The JSON in the form that subscribers get: integers beyond 2^53 are strings, and
	 * members that are null are left out. Null if there is no state.
	 */
	public @Nullable JsonNode tree() {
		return this.tree;
	}

	/** The text of {@link #tree}; {@code null} as a text if there is no state. */
	public String json() {
		return (this.tree != null) ? this.tree.toString() : "null";
	}

	/**
	 * When the state was written, by the clock of the database. Empty if there is none,
	 * or if the state was made of a frame.
	 */
	public Optional<Instant> updatedAt() {
		return Optional.ofNullable(this.updatedAt);
	}

	/**
	 * The state as an object of the view's class.
	 * @return null if there is no state
	 * @throws tools.jackson.core.JacksonException if the JSON does not fit the class
	 */
	public <S> @Nullable S as(Class<S> type) {
		return (this.tree != null) ? this.mapper.treeToValue(this.tree, type) : null;
	}

	/** The same key and version with the same JSON. */
	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof LiveState that && that.key.equals(this.key) && that.version.equals(this.version)
				&& Objects.equals(that.tree, this.tree);
	}

	@Override
	public int hashCode() {
		return Objects.hash(this.key, this.version);
	}

	/** Key and version, and nothing of the state. */
	@Override
	public String toString() {
		return "LiveState[" + this.key + " at " + this.version + "]";
	}

}
