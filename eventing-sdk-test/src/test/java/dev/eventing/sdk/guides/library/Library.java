package dev.eventing.sdk.guides.library;

import java.util.UUID;

import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.store.EventStore;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.NewEvent;

import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** What readers do. */
@Service
class Library {

	private final EventStore store;

	Library(EventStore store) {
		this.store = store;
	}

	@Transactional
	public void lend(TenantId tenant, String bookTitle, String readerId) {
		this.store.append(tenant, "loan-" + UUID.randomUUID(), ExpectedVersion.noStream(),
				NewEvent.of(new BookLent(bookTitle, readerId)));
	}

	@Transactional
	public void reserve(TenantId tenant, String bookTitle, String readerId) {
		this.store.append(tenant, "reservation-" + UUID.randomUUID(), ExpectedVersion.noStream(),
				NewEvent.of(new BookReserved(bookTitle, readerId)));
	}

}
