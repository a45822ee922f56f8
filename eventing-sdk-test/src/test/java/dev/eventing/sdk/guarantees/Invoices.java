package dev.eventing.sdk.guarantees;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.projector.Effects;
import dev.eventing.sdk.projector.HandlerMode;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.store.NewEvent;

import org.springframework.jdbc.core.JdbcTemplate;

/** The projector of the guide to effects. */
@Projector(value = "invoices", tables = "invoice")
class Invoices {

	private final JdbcTemplate jdbc;

	private final Mails mails;

	Invoices(JdbcTemplate jdbc, Mails mails) {
		this.jdbc = jdbc;
		this.mails = mails;
	}

	@ProjectorEventHandler(subject = "{tenant}.order", source = Source.EVENT_STORE)
	void on(OrderPlaced event, Effects effects) {
		this.jdbc.update("insert into invoice (order_id, amount) values (?, ?)", event.orderId(), event.amount());
		effects.append("invoice-" + event.orderId(),
				NewEvent.of(new InvoiceRequested(event.orderId(), event.amount())));
	}

	@ProjectorEventHandler(subject = "{tenant}.invoice", source = Source.EVENT_STORE)
	void on(InvoicePaid event, HandlerMode mode) {
		this.jdbc.update("update invoice set paid = true where order_id = ?", event.orderId());
		if (mode == HandlerMode.LIVE) {
			this.mails.send(event.orderId());
		}
	}

	/** Outside of the database. */
	interface Mails {

		void send(String orderId);

	}

	record OrderPlaced(String orderId, long amount) {
	}

	record InvoiceRequested(String orderId, long amount) {
	}

	record InvoicePaid(String orderId) {
	}

}
