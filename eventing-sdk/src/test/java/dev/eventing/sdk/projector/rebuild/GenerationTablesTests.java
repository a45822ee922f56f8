package dev.eventing.sdk.projector.rebuild;

import dev.eventing.sdk.event.ProjectorId;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class GenerationTablesTests {

	@Test
	void namesASchemaAfterTheProjector() {
		assertThat(schema("orders")).isEqualTo("orders_g2");
		assertThat(schema("order-summary")).matches("order_summary_[0-9a-f]{4}_g2");
		assertThat(schema("o".repeat(80)).length()).isLessThan(64);
	}

	@Test
	void namesNoSchemaThatPostgresHasForItself() {
		assertThat(schema("pg_sizes")).matches("of_pg_sizes_[0-9a-f]{4}_g2");
		assertThat(schema("pg-sizes")).matches("of_pg_sizes_[0-9a-f]{4}_g2").isNotEqualTo(schema("pg_sizes"));
		assertThat(schema("pages")).isEqualTo("pages_g2");
	}

	private static String schema(String projector) {
		return GenerationTables.schema(ProjectorId.of(projector).ofGeneration(2));
	}

}
