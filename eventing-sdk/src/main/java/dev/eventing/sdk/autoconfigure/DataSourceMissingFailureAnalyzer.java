package dev.eventing.sdk.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says what an application with projectors and no DataSource lacks. */
final class DataSourceMissingFailureAnalyzer extends AbstractFailureAnalyzer<DataSourceMissingException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, DataSourceMissingException cause) {
		return new FailureAnalysis(String.valueOf(cause.getMessage()),
				"Add 'org.springframework.boot:spring-boot-starter-jdbc' and 'org.postgresql:postgresql', and set "
						+ "'spring.datasource.url'. If they are there, look whether 'spring.autoconfigure.exclude' or an "
						+ "annotation excludes DataSourceAutoConfiguration. Where nothing is to run, set "
						+ "'eventing.enabled=false'.",
				cause);
	}

}
