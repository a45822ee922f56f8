package dev.eventing.sdk.relay;

import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.schema.EventingSchema;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Notices that contents of events were erased since it was created. A relay must not
 * publish any more what it has read before that. For one thread.
 */
final class ErasureWatch {

	private static final Logger logger = LoggerFactory.getLogger(ErasureWatch.class);

	private static final long LOOK_EVERY = TimeUnit.SECONDS.toNanos(1);

	private final JdbcTemplate jdbc;

	private final String count;

	private final long before;

	private long nextLook;

	/** Reads how many erasures there are, before anything of the log is read. */
	ErasureWatch(JdbcTemplate jdbc, EventingSchema schema) {
		this.jdbc = jdbc;
		// The table has a row per erasure, which are few. Their numbers would not do:
		// they commit in another order than they are drawn.
		this.count = "select count(*) from %s".formatted(schema.table("erasures"));
		this.before = count();
		this.nextLook = System.nanoTime() + LOOK_EVERY;
	}

	/** Whether contents were erased since. Looks once a second. */
	boolean isNews() {
		if (System.nanoTime() - this.nextLook < 0) {
			return false;
		}
		this.nextLook = System.nanoTime() + LOOK_EVERY;
		boolean news = count() != this.before;
		if (news) {
			logger.info("Contents of events were erased, so what was read of the event store is dropped.");
		}
		return news;
	}

	private long count() {
		Long count = this.jdbc.queryForObject(this.count, Long.class);
		return (count != null) ? count : 0;
	}

}
