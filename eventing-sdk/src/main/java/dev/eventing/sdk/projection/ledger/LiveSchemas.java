package dev.eventing.sdk.projection.ledger;

import java.util.List;
import java.util.Optional;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.projection.tables.TableOrigin;
import dev.eventing.sdk.schema.EventingSchema;

import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Where the tables of live generations lie, in {@code projections}: other programs have
 * another search path than the application. Every statement runs in the caller's
 * transaction. Thread-safe.
 */
public final class LiveSchemas {

	private final JdbcClient jdbc;

	private final String projections;

	private final String projector;

	/** Sends no query yet. */
	public LiveSchemas(JdbcOperations jdbc, EventingSchema schema, ProjectorId projector) {
		this.jdbc = JdbcClient.create(jdbc);
		this.projections = schema.table("projections");
		this.projector = projector.base();
	}

	/** Records where the tables lie. By {@code projections_current}. */
	public void note(String schema) {
		this.jdbc.sql("""
				update %s set live_schema = :schema
				 where projection_name = :projector and status in ('FILLING', 'LIVE')
				   and live_schema is distinct from :schema""".formatted(this.projections))
			.param("schema", schema)
			.param("projector", this.projector)
			.update();
	}

	/** Where the live tables lie, if that is known. By {@code projections_current}. */
	Optional<String> find() {
		return this.jdbc
			.sql("select live_schema from %s where projection_name = ? and status in ('FILLING', 'LIVE')"
				.formatted(this.projections))
			.param(this.projector)
			.query((row, number) -> Optional.ofNullable(row.getString(1)))
			.optional()
			.flatMap((found) -> found);
	}

	/**
	 * How the tables of a generation were created, if they are to change places with the
	 * live ones: by a script if one of the two was. By the primary key and
	 * {@code projections_current}.
	 */
	public TableOrigin origin(int generation) {
		return TableOrigin.of(this.jdbc.sql("""
				select exists (select from %s
				                where projection_name = ? and script is not null
				                  and (generation = ? or status in ('FILLING', 'LIVE')))""".formatted(this.projections))
			.param(this.projector)
			.param(generation)
			.query(Boolean.class)
			.single());
	}

	/**
	 * The tables of a generation beside the live one, if it is known where the live ones
	 * lie. By the primary key and {@code projections_current}.
	 */
	Optional<Tables> tablesOf(int generation) {
		return this.jdbc.sql("""
				select b.tables, l.live_schema, b.schema_name
				  from %1$s b join %1$s l using (projection_name)
				 where projection_name = ? and b.generation = ? and l.status in ('FILLING', 'LIVE')
				   and l.live_schema is not null and b.schema_name is not null""".formatted(this.projections))
			.param(this.projector)
			.param(generation)
			.query((row, number) -> new Tables(List.of((String[]) row.getArray(1).getArray()), row.getString(2),
					row.getString(3)))
			.optional();
	}

	/**
	 * Where the tables of two generations lie.
	 *
	 * @param names their names
	 * @param liveSchema the schema of the live ones
	 * @param schema the schema of the others
	 */
	record Tables(List<String> names, String liveSchema, String schema) {

		Tables {
			names = List.copyOf(names);
		}

	}

}
