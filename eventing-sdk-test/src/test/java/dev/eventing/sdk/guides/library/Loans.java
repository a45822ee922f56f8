package dev.eventing.sdk.guides.library;

import java.util.List;
import java.util.UUID;

import org.springframework.data.jpa.repository.JpaRepository;

/** The loans of the tenant of the session. */
interface Loans extends JpaRepository<Loan, UUID> {

	List<Loan> findByReaderId(String readerId);

}
