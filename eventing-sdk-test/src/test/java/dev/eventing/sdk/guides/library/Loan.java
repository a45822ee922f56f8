package dev.eventing.sdk.guides.library;

import java.util.UUID;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.hibernate.annotations.TenantId;

/** A book that a reader has at home. */
@Entity
class Loan {

	@Id
	private UUID id;

	/** Written by Hibernate. */
	@TenantId
	private String tenant;

	private String bookTitle;

	private String readerId;

	protected Loan() {
	}

	Loan(UUID id, String bookTitle, String readerId) {
		this.id = id;
		this.bookTitle = bookTitle;
		this.readerId = readerId;
	}

	String tenant() {
		return this.tenant;
	}

	String bookTitle() {
		return this.bookTitle;
	}

	String readerId() {
		return this.readerId;
	}

}
