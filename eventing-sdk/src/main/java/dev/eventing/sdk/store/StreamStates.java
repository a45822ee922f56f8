package dev.eventing.sdk.store;

import java.time.OffsetDateTime;
import java.util.Iterator;

import dev.eventing.sdk.event.TenantId;
import org.jspecify.annotations.Nullable;

/**
 * Folds the events of streams to states, from the latest snapshot on. Thread-safe.
 */
final class StreamStates {

	private final StreamPages pages;

	private final Snapshots snapshots;

	StreamStates(StreamPages pages, Snapshots snapshots) {
		this.pages = pages;
		this.snapshots = snapshots;
	}

	/** The state at the end of a stream. */
	<S> Loaded<S> load(TenantId tenantId, String streamId, Fold<S> fold) {
		return fold(tenantId, streamId, fold, Long.MAX_VALUE).loaded();
	}

	/**
	 * The snapshot that is due with a loaded state, or null. It is folded once more: the
	 * caller may have changed the object that it got.
	 */
	<S> Snapshots.@Nullable Due due(TenantId tenantId, String streamId, Loaded<S> loaded) {
		if (!loaded.isSnapshotDue()) {
			return null;
		}
		Folded<S> again = fold(tenantId, streamId, loaded.fold(), loaded.version());
		// Another version is that of a caller who has not loaded it here.
		return (again.loaded().version() == loaded.version())
				? this.snapshots.due(loaded.fold(), loaded.version(), again.loaded().state(), again.foreign()) : null;
	}

	private <S> Folded<S> fold(TenantId tenantId, String streamId, Fold<S> fold, long to) {
		Snapshots.Found<S> found = (fold.snapshotEvery() > 0) ? this.snapshots.look(tenantId, streamId, fold)
				: Snapshots.Found.none();
		Snapshot<S> snapshot = found.snapshot();
		long snapshotVersion = (snapshot != null) ? snapshot.version() : 0;
		long version = snapshotVersion;
		S state = (snapshot != null) ? snapshot.state() : fold.initial();
		Iterator<StoredEvent> events = this.pages.read(tenantId, streamId, snapshotVersion + 1, to).iterator();
		while (events.hasNext()) {
			StoredEvent event = events.next();
			state = event.isErased() ? state : fold.evolve().apply(state, event.event());
			version = event.version();
		}
		return new Folded<>(new Loaded<>(state, version, snapshotVersion, fold), found.foreign());
	}

	/**
	 * A state with what was found of its snapshot.
	 *
	 * @param foreign as {@link Snapshots.Found#foreign}
	 */
	private record Folded<S>(Loaded<S> loaded, @Nullable OffsetDateTime foreign) {
	}

}
