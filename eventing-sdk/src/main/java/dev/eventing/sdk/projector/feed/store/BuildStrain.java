package dev.eventing.sdk.projector.feed.store;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.projection.ledger.Filling;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * The strain that a build puts on others: on readers of the live generation if it lags,
 * on readers of replicas, and on all writers if the disk gets full. Thread-safe.
 */
final class BuildStrain implements Supplier<@Nullable String> {

	private static final Logger logger = LoggerFactory.getLogger(BuildStrain.class);

	/** How far the live generation may lag. */
	private static final Duration LIVE = Duration.ofSeconds(1);

	/** How far a replica may lag. */
	private static final Duration REPLICA = Duration.ofSeconds(2);

	/** By the primary keys. */
	private static final String STORED = """
			select extract(epoch from clock_timestamp() - e.recorded_at) from %s e
			 where e.global_position > (select c.position from %s c where c.projector_name = ?
			                             order by c.revision desc limit 1)
			 order by e.global_position limit 1""";

	/** The nodes' reports of a projector that reads a stream. By the primary key. */
	private static final String REPORTED = """
			select max(behind_seconds) from %s
			 where projector_name = ? and state not in ('STANDBY', 'STOPPED')
			   and reported_at > clock_timestamp() - interval '15 seconds'""";

	/**
	 * A role without pg_monitor sees replicas, but not their lag. Who reads changes from
	 * a logical slot is no replica: its lag is the time until it confirms them, and it
	 * gets none of the new tables.
	 */
	private static final String REPLICAS = """
			select extract(epoch from max(r.replay_lag)) from pg_stat_replication r
			 where r.state = 'streaming'
			   and not exists (select from pg_replication_slots s
			                    where s.active_pid = r.pid and s.slot_type = 'logical')""";

	private final JdbcOperations jdbc;

	private final ProjectorId projector;

	private final String query;

	private final BuildSpace space;

	/** Sends no query yet. */
	BuildStrain(JdbcOperations jdbc, EventingSchema schema, Filling filling, BuildSpace space) {
		this.jdbc = jdbc;
		this.space = space;
		this.projector = filling.projection();
		String live = (filling.stream() != null) ? REPORTED.formatted(schema.table("projector_nodes"))
				: STORED.formatted(schema.table("events"), schema.table("projector_checkpoints"));
		this.query = "select coalesce((%s), 0)::double precision, coalesce((%s), 0)::double precision".formatted(live,
				REPLICAS);
	}

	/** Looks at replicas alone. Sends no query yet. */
	static Supplier<@Nullable String> ofReplicas(JdbcOperations jdbc) {
		return () -> {
			try {
				Double lag = jdbc.queryForObject("select coalesce((%s), 0)::double precision".formatted(REPLICAS),
						Double.class);
				return describe(0, (lag != null) ? lag : 0);
			}
			catch (DataAccessException ex) {
				logger.debug("It is unknown whether replicas lag.", ex);
				return null;
			}
		};
	}

	@Override
	public @Nullable String get() {
		try {
			List<double[]> lags = this.jdbc.query(this.query,
					(row, number) -> new double[] { row.getDouble(1), row.getDouble(2) }, this.projector.base());
			String lagging = describe(lags.get(0)[0], lags.get(0)[1]);
			return (lagging != null) ? lagging : this.space.shortage();
		}
		catch (DataAccessException ex) {
			// The build meets the same database, and reports what it does not answer.
			logger.debug("It is unknown whether the build of '{}' disturbs others.", this.projector, ex);
			return null;
		}
	}

	private static @Nullable String describe(double live, double replica) {
		if (live > LIVE.toSeconds()) {
			return String.format(Locale.ROOT, "the live read model is %.0f s behind", live);
		}
		return (replica > REPLICA.toSeconds())
				? String.format(Locale.ROOT, "a replica of the database is %.0f s behind", replica) : null;
	}

}
