package dev.eventing.sdk.autoconfigure;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadata;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.support.StaticApplicationContext;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class ConnectionPoolCheckTests {

	@Test
	void warnsOfAPoolThatIsSmallerThanAllLanesNeed(CapturedOutput output) {
		check(6, (dataSource) -> new Pool(7));
		assertThat(output).contains("WARN")
			.contains("has 7 connections")
			.contains("spring.datasource.hikari.maximum-pool-size = 8");
	}

	@Test
	void saysNothingOfAPoolThatIsLargeEnough(CapturedOutput output) {
		check(6, (dataSource) -> new Pool(8));
		assertThat(output).isEmpty();
	}

	@Test
	void saysNothingOfADataSourceThatIsNoPool(CapturedOutput output) {
		check(6, (dataSource) -> null);
		assertThat(output).isEmpty();
	}

	@Test
	void saysNothingOfAPoolWithoutABound(CapturedOutput output) {
		check(6, (dataSource) -> new Pool(-1));
		assertThat(output).isEmpty();
	}

	private static void check(int lanes, DataSourcePoolMetadataProvider pools) {
		new ConnectionPoolCheck(() -> lanes, new DriverManagerDataSource(), List.of(pools))
			.onApplicationEvent(new ContextRefreshedEvent(new StaticApplicationContext()));
	}

	/** What a pool tells of itself. */
	private record Pool(int max) implements DataSourcePoolMetadata {

		@Override
		public @Nullable Float getUsage() {
			return null;
		}

		@Override
		public @Nullable Integer getActive() {
			return null;
		}

		@Override
		public Integer getMax() {
			return this.max;
		}

		@Override
		public @Nullable Integer getMin() {
			return null;
		}

		@Override
		public @Nullable String getValidationQuery() {
			return null;
		}

		@Override
		public @Nullable Boolean getDefaultAutoCommit() {
			return null;
		}

	}

}
