package dev.eventing.sdk.guides.schemas;

import java.util.UUID;

import org.springframework.data.jpa.repository.JpaRepository;

/** Its derived query opens a session while the application starts. */
interface Loans extends JpaRepository<SchemasApplication.Loan, UUID> {

	long countByTitle(String title);

}
