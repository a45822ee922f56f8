package dev.eventing.sdk.guides.library;

import java.util.UUID;

import dev.eventing.sdk.annotation.ProjectorEventHandler;

import org.springframework.stereotype.Component;

/** Keeps the loans, with JPA. */
@Component
class LoanProjector {

	private final Loans loans;

	LoanProjector(Loans loans) {
		this.loans = loans;
	}

	@ProjectorEventHandler(projectorName = "loans", subject = "loan.{tenant}.lent")
	void lent(BookLent lent, UUID eventId, String tenantId) {
		this.loans.save(new Loan(eventId, lent.bookTitle(), lent.readerId()));
	}

}
