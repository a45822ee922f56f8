package dev.eventing.sdk.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains what an application with projectors and without a DataSource lacks. */
final class DataSourceMissingFailureAnalyzer extends AbstractFailureAnalyzer<DataSourceMissingException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, DataSourceMissingException cause) {
		return new FailureAnalysis(String.valueOf(cause.getMessage()),
				"Add 'org.springframework.boot:spring-boot-starter-jdbc' and 'org.postgresql:postgresql', and set "
						+ "'spring.datasource.url'. If they are present, check whether 'spring.autoconfigure.exclude' or an "
						+ "annotation excludes DataSourceAutoConfiguration. If projectors and relays are not to run, set "
						+ "'eventing.enabled=false'.",
				cause);
	}

}
