package dev.eventing.sdk.autoconfigure;

import dev.eventing.sdk.schema.DatabaseUnavailableException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports in one sentence that there is no database at start-up. */
final class DatabaseUnavailableFailureAnalyzer extends AbstractFailureAnalyzer<DatabaseUnavailableException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, DatabaseUnavailableException cause) {
		return new FailureAnalysis(String.valueOf(cause.getMessage()),
				"Start PostgreSQL, or correct 'spring.datasource.url', 'spring.datasource.username' and "
						+ "'spring.datasource.password'. To start without a check of the tables, set "
						+ "'eventing.schema.mode=none'.",
				cause);
	}

}
