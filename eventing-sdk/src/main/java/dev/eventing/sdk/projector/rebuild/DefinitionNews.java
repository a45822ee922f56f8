package dev.eventing.sdk.projector.rebuild;

import java.time.Duration;
import java.util.List;
import java.util.NavigableMap;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.projection.ledger.GenerationLedger;
import dev.eventing.sdk.projection.ledger.GenerationLedger.Live;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.feed.store.JdbcCheckpoints;
import dev.eventing.sdk.worker.SupervisedWorker;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Logs once how this node's version of a projector differs from what fed its live
 * generation, and how many stored events that concerns. Counts on a separate thread,
 * within bounds: a start never waits for it, and never fails by it. Thread-safe.
 */
public final class DefinitionNews {

	private static final Logger logger = LoggerFactory.getLogger(DefinitionNews.class);

	/** It counts no further. */
	private static final int MOST_EVENTS = 100_000;

	/** Without an index on types, a count may have to read all events. */
	private static final Duration COUNTS_WITHIN = Duration.ofSeconds(3);

	/** All projectors of a process count one after the other. */
	private static final Semaphore COUNTS = new Semaphore(1);

	private final ProjectorId projector;

	private final ProjectorServices services;

	private final JdbcTemplate jdbc;

	private final GenerationLedger generations;

	private final JdbcCheckpoints checkpoints;

	/** The last logged changes, or the next ones. */
	private List<DefinitionChange> said = List.of();

	private volatile @Nullable SupervisedWorker counting;

	private volatile boolean stopped;

	/** Sends no query yet. */
	public DefinitionNews(ProjectorId projector, ProjectorServices services) {
		this.projector = projector;
		this.services = services;
		this.jdbc = new JdbcTemplate(services.dataSource());
		this.generations = new GenerationLedger(this.jdbc, services.schema(), projector);
		this.checkpoints = new JdbcCheckpoints(this.jdbc, services.schema(), projector);
	}

	/**
	 * Looks what feeds the live generation, while another node owns the projector.
	 * @param versions the projector as this node has it, by version
	 */
	public void look(NavigableMap<Integer, ProjectorEndpoint> versions) {
		begin(() -> this.generations.live().ifPresent((live) -> say(news(live, versions), position())));
	}

	/**
	 * Looks how this node's versions differ from the live generation. Called in the
	 * transaction that may change what is recorded of it, and before the projector moves
	 * its position.
	 */
	void tell(Live live, NavigableMap<Integer, ProjectorEndpoint> versions) {
		List<DefinitionChange> news = news(live, versions);
		if (!news.isEmpty()) {
			Long position = position();
			begin(() -> say(news, position));
		}
	}

	/** Logs nothing more, unless it is called again. */
	public void stop() {
		this.stopped = true;
		SupervisedWorker running = this.counting;
		if (running != null) {
			running.interrupt();
		}
	}

	/** The changes that were not logged before. */
	private synchronized List<DefinitionChange> news(Live live, NavigableMap<Integer, ProjectorEndpoint> versions) {
		List<DefinitionChange> found = DefinitionChange.of(live, versions);
		List<DefinitionChange> news = found.stream().filter((each) -> !this.said.contains(each)).toList();
		this.said = found;
		return news;
	}

	/** Null if it does not read the event store, or has not begun. */
	private @Nullable Long position() {
		return this.checkpoints.find().map(JdbcCheckpoints.Row::position).orElse(null);
	}

	private void begin(Runnable work) {
		this.stopped = false;
		SupervisedWorker next = SupervisedWorker.daemon(this.projector.thread("news"), () -> {
			COUNTS.acquire();
			try {
				work.run();
			}
			catch (RuntimeException ex) { // nothing depends on it
				logger.debug("Projector '{}' cannot look now what has changed.", this.projector, ex);
			}
			finally {
				COUNTS.release();
			}
		});
		this.counting = next;
		next.start();
	}

	private void say(List<DefinitionChange> news, @Nullable Long position) {
		for (DefinitionChange change : news) {
			String line = change.describe(this.projector, earlier(change.newTypes(), position));
			if (!this.stopped) {
				logger.info("{}", line);
			}
		}
	}

	private @Nullable String earlier(List<String> types, @Nullable Long position) {
		if (types.isEmpty()) {
			return null;
		}
		try {
			return (position != null) ? stored(types, position) : skipped(types);
		}
		catch (DataAccessException ex) {
			logger.debug("The earlier events of projector '{}' are not counted.", this.projector, ex);
			return null;
		}
	}

	/**
	 * How many events of the types lie before a position, whatever their subjects are.
	 * Has no index, so it is bounded.
	 */
	private String stored(List<String> types, long position) {
		JdbcTemplate bounded = new JdbcTemplate(this.services.dataSource());
		if (COUNTS_WITHIN.compareTo(this.services.jdbc().statementTimeout()) < 0) {
			bounded.setQueryTimeout((int) COUNTS_WITHIN.toSeconds());
		}
		Long found = bounded.queryForObject("""
				select count(*) from (select from %s
				                       where event_type = any(?) and global_position <= ?
				                       limit %s) as counted""".formatted(this.services.schema().table("events"),
				MOST_EVENTS + 1), Long.class, types.toArray(String[]::new), position);
		long events = (found != null) ? found : 0;
		String many = (events > MOST_EVENTS) ? "more than " + DefinitionChange.number(MOST_EVENTS)
				: DefinitionChange.number(events);
		return many + " of them lie before position " + DefinitionChange.number(position) + ", its checkpoint";
	}

	/** Since when they were skipped in a stream. By the primary key. */
	private @Nullable String skipped(List<String> types) {
		String found = this.jdbc
			.query("""
					select stream, min(passed_from) + 1 from %s
					 where projector_name = ? and kind = 'TYPE' and passed_from is not null
					   and substr(name, strpos(name, ' ') + 1) = any(?)
					 group by stream order by stream""".formatted(this.services.schema().table("projector_coverage")),
					(row, number) -> "from sequence " + DefinitionChange.number(row.getLong(2)) + " of '"
							+ row.getString(1) + "' on",
					this.projector.inColumn(), types.toArray(String[]::new))
			.stream()
			.collect(Collectors.joining(" and "));
		return found.isEmpty() ? null : "it skipped them " + found;
	}

}
