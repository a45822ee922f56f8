package dev.eventing.sdk.guides.library;

import dev.eventing.sdk.event.EventType;

/** A reader waits for a book. */
@EventType("reserved")
record BookReserved(String bookTitle, String readerId) {
}
