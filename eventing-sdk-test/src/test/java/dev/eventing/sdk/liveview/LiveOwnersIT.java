package dev.eventing.sdk.liveview;

import java.util.List;

import javax.sql.DataSource;

import dev.eventing.sdk.liveview.ledger.LiveOwners;
import dev.eventing.sdk.liveview.ledger.LiveOwners.Owned;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.schema.SchemaInitializer;
import dev.eventing.sdk.schema.SchemaMode;
import dev.eventing.sdk.test.server.PostgresServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The live epoch of a view on a server that is started again. */
@Tag("crash")
class LiveOwnersIT {

	private static final String VIEW = "balances";

	/**
	 * A server that took over may lack the last states, and gives their versions again.
	 */
	@Test
	void haveAnotherLiveEpochOnceTheServerWasStartedAgain() {
		try (PostgresServer postgres = PostgresServer.start()) {
			DataSource dataSource = postgres.dataSource(postgres.createDatabase());
			JdbcTemplate jdbc = new JdbcTemplate(dataSource);
			new SchemaInitializer(dataSource, EventingSchema.defaults(), SchemaMode.MIGRATE).initialize();
			jdbc.update("insert into eventing.leases (lease_name, owner, epoch, acquired_at, expires_at)"
					+ " values ('projector/balances', 'node', 1, now(), now() + interval '1 hour')");
			jdbc.update("insert into eventing.projections (projection_name, generation, status, definition, version)"
					+ " values ('balances', 1, 'LIVE', 'any', 1)");
			LiveOwners owners = new LiveOwners(jdbc, EventingSchema.defaults());
			Owned before = owned(owners);
			assertThat(owned(owners)).isEqualTo(before);
			postgres.restart();
			await().ignoreExceptions()
				.untilAsserted(() -> assertThat(owned(owners).liveEpoch()).isGreaterThan(before.liveEpoch()));
			Owned after = owned(owners);
			assertThat(owned(owners)).isEqualTo(after);
			assertThat(after.token()).as("of the same owner").isEqualTo(before.token());
		}
	}

	private static Owned owned(LiveOwners owners) {
		List<Owned> owned = owners.of("node", List.of(VIEW));
		assertThat(owned).singleElement().returns(VIEW, Owned::view);
		return owned.get(0);
	}

}
