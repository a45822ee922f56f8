package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.ledger.JdbcProjections;
import dev.eventing.sdk.projection.ledger.JdbcProjectors;
import dev.eventing.sdk.schema.EventingSchema;
import org.junit.jupiter.api.AutoClose;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A projector that reads the event store, and an operator who lets it have another
 * generation of its read model.
 */
abstract class GenerationSetup {

	static final String REASON = "a column was wrong";

	static final int NAMES = 7;

	@AutoClose
	final World world = World.create();

	final Projections operators = new JdbcProjections(this.world.jdbc().getDataSource(), EventingSchema.defaults());

	final JdbcProjectors projectors = new JdbcProjectors(this.world.jdbc().getDataSource(), EventingSchema.defaults());

	AnnotationConfigApplicationContext start(Object accounts) {
		return this.world.start(WorldApplication.of(accounts).lease(Duration.ofSeconds(2)));
	}

	String detail() {
		return String.valueOf(this.operators.lastRequest(Accounts.PROJECTOR).orElseThrow().state().detail());
	}

	Status status() {
		return this.operators.lastRequest(Accounts.PROJECTOR).orElseThrow().state().status();
	}

	void awaitStatus(int generation, ProjectionGeneration.Status status) {
		await().until(() -> this.operators.generations(Accounts.PROJECTOR)
			.stream()
			.anyMatch((each) -> each.generation() == generation && each.status() == status));
	}

	void appendAll(long from, long to) {
		for (int account = 0; account < NAMES; account++) {
			this.world.append(World.ACME, "a" + account, from, to);
		}
	}

	void awaitVersions(String schema, long version) {
		await().ignoreExceptions()
			.until(() -> this.world.count("select count(*) from " + schema
					+ ".account where account like 'a_' and version = " + version) == NAMES);
	}

	void awaitVersions(long version) {
		awaitVersions("public", version);
	}

	void assertThatTheReadModelIsExact(String schema, long version) {
		assertThat(this.world.jdbc().queryForList("select * from " + schema + ".violations")).isEmpty();
		List<Map<String, Object>> wrong = this.world.jdbc()
			.queryForList(
					"select * from " + schema + ".account where account like 'a_' and (version <> ? or total <> ?)",
					version, version * (version + 1) / 2);
		assertThat(wrong).isEmpty();
		assertThat(this.world.count("select count(*) from " + schema + ".account where account like 'a_'"))
			.isEqualTo(NAMES);
	}

	void assertThatTheReadModelIsExact(long version) {
		assertThatTheReadModelIsExact("public", version);
	}

}
