package dev.eventing.sdk.projection.ledger;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;

import javax.sql.DataSource;

import dev.eventing.sdk.jdbc.BoundedDataSource;
import dev.eventing.sdk.projection.Behind;
import dev.eventing.sdk.projection.ProjectionAuditEntry;
import dev.eventing.sdk.projection.ProjectorOverview;
import dev.eventing.sdk.projection.ProjectorOverview.Generation;
import dev.eventing.sdk.projection.ProjectorOverview.Status;
import dev.eventing.sdk.projection.Projectors;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The operations on projectors, in PostgreSQL. Thread-safe. */
public final class JdbcProjectors implements Projectors {

	/** The time limit of a statement: it may count many dead letters. */
	private static final Duration PATIENCE = Duration.ofMinutes(1);

	private final JdbcClient jdbc;

	private final ControlLedger controls;

	private final KnownProjectors known;

	private final String overview;

	/**
	 * Sends no query yet.
	 * @param dataSource the DataSource that holds the SDK's tables
	 * @param schema the schema of the tables
	 */
	public JdbcProjectors(DataSource dataSource, EventingSchema schema) {
		DataSource patient = BoundedDataSource.of(dataSource, PATIENCE);
		this.jdbc = JdbcClient.create(patient);
		this.known = new KnownProjectors(new JdbcTemplate(patient), schema);
		this.controls = new ControlLedger(patient, schema);
		this.overview = """
				select name, generation, role, status, detail, paused, position, behind_events, behind_seconds,
				       owner, open_letters, updated_at
				  from %s""".formatted(schema.table("projector_overview"));
	}

	@Override
	public List<ProjectorOverview> list() {
		return this.jdbc.sql(this.overview + " order by name, generation").query(JdbcProjectors::row).list();
	}

	@Override
	public Optional<ProjectorOverview> find(String name) {
		return this.jdbc.sql(this.overview + " where name = ? order by role = 'live' desc, generation desc limit 1")
			.param(name)
			.query(JdbcProjectors::row)
			.optional();
	}

	private static ProjectorOverview row(ResultSet row, int number) throws SQLException {
		return new ProjectorOverview(row.getString("name"),
				new Generation(row.getInt("generation"), row.getString("role")),
				new Status(row.getString("status"), row.getString("detail"), row.getBoolean("paused")),
				row.getObject("position", Long.class),
				new Behind(row.getObject("behind_events", Long.class),
						time(row.getObject("behind_seconds", Double.class))),
				row.getString("owner"), row.getLong("open_letters"),
				instant(row.getObject("updated_at", OffsetDateTime.class)));
	}

	private static @Nullable Duration time(@Nullable Double seconds) {
		return (seconds != null) ? Duration.ofMillis(Math.round(seconds * 1000)) : null;
	}

	private static @Nullable Instant instant(@Nullable OffsetDateTime time) {
		return (time != null) ? time.toInstant() : null;
	}

	@Override
	public boolean pause(String name, String actor, String reason) {
		OperatorText.require("actor", actor);
		OperatorText.require("reason", reason);
		this.known.require(name);
		return this.controls.pause(name, actor, reason).isEmpty();
	}

	@Override
	public boolean resume(String name, String actor, @Nullable String reason) {
		OperatorText.require("actor", actor);
		this.known.require(name);
		return this.controls.resume(name, actor, reason);
	}

	@Override
	public List<ProjectionAuditEntry> audit(String name, int limit) {
		if (limit < 1 || limit > MAX_AUDIT) {
			throw new IllegalArgumentException("'limit' must be 1 to " + MAX_AUDIT + ", was " + limit + ".");
		}
		return this.controls.audit(name, limit);
	}

}
