package dev.eventing.sdk.guides.schemas;

import java.util.UUID;

import dev.eventing.sdk.annotation.ProjectorEventHandler;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.stereotype.Component;

/** Keeps the loans of each tenant in a schema of the tenant. */
@SpringBootApplication
class SchemasApplication {

	@Component
	static class LoanProjector {

		private final Loans loans;

		LoanProjector(Loans loans) {
			this.loans = loans;
		}

		@ProjectorEventHandler(projectorName = "loans", subject = "loan.{tenant}.lent")
		void lent(Lent lent, UUID eventId, String tenantId) {
			this.loans.save(new Loan(eventId, lent.title()));
		}

	}

	record Lent(String title) {
	}

	@Entity(name = "loan")
	static class Loan {

		@Id
		private UUID id;

		private String title;

		protected Loan() {
		}

		Loan(UUID id, String title) {
			this.id = id;
			this.title = title;
		}

		String title() {
			return this.title;
		}

	}

}
