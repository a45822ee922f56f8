package dev.eventing.sdk.guides.library;

import java.util.UUID;

import dev.eventing.sdk.annotation.ProjectorEventHandler;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Keeps the reservations. The column "tenant" has the variable as its default. */
@Component
class ReservationProjector {

	private final JdbcClient jdbc;

	ReservationProjector(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	@ProjectorEventHandler(projectorName = "reservations", subject = "reservation.{tenant}.reserved")
	void reserved(BookReserved reserved, UUID eventId, String tenantId) {
		this.jdbc.sql("insert into reservation (id, book_title, reader_id) values (?, ?, ?)")
			.params(eventId, reserved.bookTitle(), reserved.readerId())
			.update();
	}

}
