package dev.eventing.sdk.guides.library;

import dev.eventing.sdk.event.EventType;

/** A reader took a book home. */
@EventType("lent")
record BookLent(String bookTitle, String readerId) {
}
