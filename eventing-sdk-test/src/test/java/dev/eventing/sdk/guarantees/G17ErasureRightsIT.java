package dev.eventing.sdk.guarantees;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import dev.eventing.sdk.erasure.Erasure;
import dev.eventing.sdk.erasure.ErasureNotAllowedException;
import dev.eventing.sdk.schema.EventingSchema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/** G17: an erasure by a role that lacks one right or another. */
class G17ErasureRightsIT extends ErasureSetup {

	private static final List<String> RIGHTS = List.of("select", "insert", "update", "delete");

	private final String role = "eraser_" + this.world.root();

	private final Erasure ofRole = new Erasure(
			new DriverManagerDataSource(this.world.jdbcUrl().replace("user=postgres", "user=" + this.role)),
			EventingSchema.defaults());

	@BeforeEach
	void createRole() {
		sql("create role " + this.role + " login");
		sql("grant usage on schema eventing, public to " + this.role);
		sql("grant all on all tables in schema eventing to " + this.role);
		sql("grant select, delete on person to " + this.role);
		sql("insert into eventing.projection_ownership values ('people', 1, 'person', 'tenant_id', 'stream')");
		sql("insert into eventing.relays (relay_name) values ('people')");
		// an erasure ends the tenure of what is kept beside the live generation
		sql("insert into eventing.projections (projection_name, generation, version, status, schema_name, live_schema,"
				+ " tables, definition) values ('people', 1, 1, 'STANDBY', 'public', 'public', array['person'], '')");
	}

	@AfterEach
	void dropRole() {
		sql("drop owned by " + this.role);
		sql("drop role " + this.role);
	}

	/** With something to erase in each table that has conditions of its own. */
	@Test
	void namesEachRightThatIsMissingOrErases() {
		List<String> named = new ArrayList<>();
		for (String table : tables()) {
			for (String right : RIGHTS) {
				fill();
				sql("revoke " + right + " on " + table + " from " + this.role);
				Throwable thrown = catchThrowable(() -> this.ofRole.erase(request("ann")));
				if (thrown != null) {
					assertThat(thrown).as("without %s on %s", right, table)
						.isInstanceOf(ErasureNotAllowedException.class)
						.hasMessageStartingWith("Role " + this.role + " may not erase: it lacks " + right + " on "
								+ table.replace("public.", "") + ".");
					assertThat(found(this.secret)).isNotEmpty();
					named.add(right + " " + table);
				}
				else {
					assertThatNothingIsFound();
				}
				sql("grant " + right + " on " + table + " to " + this.role);
			}
		}
		assertThat(named).contains("update eventing.events", "delete eventing.leases", "delete eventing.lease_epochs",
				"delete eventing.relay_refusals", "insert eventing.dead_letter_redrives", "insert eventing.erasures",
				"delete public.person");
		assertThat(named).as("rights that no erasure needs")
			.doesNotContain("delete eventing.events", "insert eventing.events", "delete eventing.erasures",
					"delete eventing.dead_letters", "update eventing.relay_refusals");
	}

	@Test
	void looksWithTheRightToReadAlone() {
		fill();
		sql("revoke insert, update, delete on all tables in schema eventing from " + this.role);
		sql("revoke delete on person from " + this.role);
		assertThat(count(this.ofRole.plan(request("ann")), "rows of table")).isOne();
		for (String table : List.of("eventing.projection_effects", "eventing.streams", "public.person")) {
			sql("revoke select on " + table + " from " + this.role);
			assertThatExceptionOfType(ErasureNotAllowedException.class)
				.isThrownBy(() -> this.ofRole.plan(request("ann")))
				.withMessageContaining("it lacks ")
				.withMessageContaining("select")
				.withMessageContaining(" on " + table.replace("public.", ""));
			sql("grant select on " + table + " to " + this.role);
		}
	}

	@Test
	void namesASchemaThatTheRoleMayNotUse() {
		fill();
		sql("create schema other");
		sql("update eventing.projections set schema_name = 'other'");
		assertThatExceptionOfType(ErasureNotAllowedException.class).isThrownBy(() -> this.ofRole.erase(request("ann")))
			.withMessageContaining("usage on schema other");
		sql("revoke usage on schema eventing from " + this.role);
		assertThatExceptionOfType(ErasureNotAllowedException.class).isThrownBy(() -> this.ofRole.erase(request("ann")))
			.withMessageContaining("usage on schema eventing");
	}

	/** An event with rows, a refusal, and a letter behind which that of another waits. */
	private void fill() {
		append(World.ACME, "ann", this.secret);
		sql("insert into person values ('acme', '" + stream("ann") + "', '" + this.secret
				+ "') on conflict do nothing");
		sql("""
				insert into eventing.relay_refusals (relay_name, global_position, tenant_id, stream_id, event_id, status, reason)
				select 'people', global_position, tenant_id, stream_id, event_id, 'REFUSED', 'test' from eventing.events
				 order by global_position desc limit 1""");
		letter("(select event_id from eventing.events order by global_position desc limit 1)");
		letter("gen_random_uuid()");
	}

	private void letter(String eventId) {
		sql("""
				insert into eventing.dead_letters (letter_id, projector_name, tenant_id, event_id, subject, headers, payload,
				       stream, stream_sequence, published_at, reason, attempts, first_failed_at, parking_key)
				values (gen_random_uuid(), 'people', 'acme', %s, 'subject', '{}', '', 'event-store', 1, now(), 'test', 1,
				       now(), 'acme/' || (select max(global_position) from eventing.events))"""
			.formatted(eventId));
	}

	private Set<String> tables() {
		Set<String> tables = new TreeSet<>(this.world.jdbc()
			.queryForList("select schemaname || '.' || tablename from pg_tables where schemaname = 'eventing'",
					String.class));
		tables.add("public.person");
		return tables;
	}

	private void sql(String statement) {
		this.world.jdbc().execute(statement);
	}

}
