package dev.eventing.sdk.projector.feed.jetstream;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.eventing.sdk.deadletter.ledger.MendedLetters;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.event.RawEvent;
import dev.eventing.sdk.nats.Delivery;
import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.delivery.DeliveryDecoder;
import dev.eventing.sdk.projector.delivery.RoutedEvent;
import dev.eventing.sdk.projector.delivery.SourceEvent;
import dev.eventing.sdk.projector.delivery.WireEvent;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Reads messages of a stream, and puts the event that a redrive has applied in the place
 * of a message without a tenant. Such a message has no key, so other decisions of
 * operators cannot be found by it. For the thread of the intake.
 */
final class MendedMessages {

	private final DeliveryDecoder decoder;

	private final MendedLetters letters;

	/**
	 * Sends no query yet.
	 * @param live the generation whose letters operators have mended
	 */
	MendedMessages(ProjectorServices services, DeliveryDecoder decoder, ProjectorId live) {
		this.decoder = decoder;
		this.letters = new MendedLetters(new JdbcTemplate(services.dataSource()), services.schema(), live);
	}

	/** Returns what is known of each message of a page, in the same order. */
	List<RoutedEvent> read(List<Delivery> page) {
		List<RoutedEvent> received = page.stream().map(WireEvent::of).map(this.decoder::route).toList();
		List<UUID> unknown = received.stream().filter(MendedMessages::hasNoTenant).map(RoutedEvent::ledgerId).toList();
		if (unknown.isEmpty()) {
			return received;
		}
		Map<UUID, byte[]> mended = this.letters.mended(unknown);
		return received.stream().map((event) -> {
			byte[] payload = hasNoTenant(event) ? mended.get(event.ledgerId()) : null;
			return (payload != null) ? mended(event.source(), payload) : event;
		}).toList();
	}

	private static boolean hasNoTenant(RoutedEvent event) {
		return event.ledgerKey() == null;
	}

	/**
	 * The event counts as edited: if it fails, its new letter keeps the payload that
	 * names it.
	 */
	private RoutedEvent mended(SourceEvent message, byte[] payload) {
		RawEvent mended = new RawEvent(message.subject(), message.raw().headers(), payload);
		return this.decoder.route(WireEvent.of(message.place(), mended, true));
	}

}
