package dev.eventing.samples.dashboard.desk;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;

import dev.eventing.samples.dashboard.event.ReservationEvent;
import dev.eventing.samples.dashboard.house.Resource;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.store.AppendResult;
import dev.eventing.sdk.store.EventStore;
import dev.eventing.sdk.store.Loaded;
import dev.eventing.sdk.store.NewEvent;
import org.jspecify.annotations.Nullable;

import org.springframework.transaction.support.TransactionTemplate;

/**
 * Appends events of one resource, several in a transaction. It keeps the book in memory,
 * until an append fails: then it may or may not be committed, and the book is read from
 * the event store again. Not thread-safe.
 */
final class Desk {

	private final TenantId tenant;

	private final Resource resource;

	private final Clerk clerk;

	private final EventStore store;

	private final TransactionTemplate transaction;

	private @Nullable Loaded<Book> known;

	Desk(TenantId tenant, Resource resource, Random random, EventStore store, TransactionTemplate transaction) {
		this.tenant = tenant;
		this.resource = resource;
		this.clerk = new Clerk(resource, random);
		this.store = store;
		this.transaction = transaction;
	}

	/**
	 * Appends events.
	 * @throws RuntimeException if the database does not answer, or somebody else writes
	 * to this book; the next call reads it again
	 */
	void serve(int count, Instant now) {
		Loaded<Book> before = (this.known != null) ? this.known
				: this.store.load(this.tenant, this.resource.key(), Book.FOLD);
		this.known = null;
		Book book = before.state();
		List<NewEvent> events = new ArrayList<>(count);
		for (int i = 0; i < count; i++) {
			ReservationEvent event = this.clerk.next(book, now.toEpochMilli() / 1000.0);
			book = book.apply(event);
			events.add(NewEvent.of(event).withOccurredAt(now));
		}
		AppendResult result = Objects.requireNonNull(this.transaction
			.execute((status) -> this.store.append(this.tenant, this.resource.key(), before, events)));
		this.known = new Loaded<>(book, result.version(), snapshotAfter(before), Book.FOLD);
	}

	/** The append has stored a snapshot of the book before it, if one was due. */
	private static long snapshotAfter(Loaded<Book> before) {
		boolean due = before.version() - before.snapshotVersion() >= Book.FOLD.snapshotEvery();
		return due ? before.version() : before.snapshotVersion();
	}

}
