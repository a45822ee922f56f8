package dev.eventing.sdk.projection.ledger;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

import javax.sql.DataSource;

import dev.eventing.sdk.UnknownNameException;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.jdbc.BoundedDataSource;
import dev.eventing.sdk.jdbc.SeparateTransactions;
import dev.eventing.sdk.projection.InlineProjections;
import dev.eventing.sdk.projection.InlineStatus;
import dev.eventing.sdk.projection.ProjectionAction;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

/** The operations on inline projectors, in PostgreSQL. Thread-safe. */
public final class JdbcInlineProjections implements InlineProjections {

	private static final Logger logger = LoggerFactory.getLogger(JdbcInlineProjections.class);

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private static final int MOST_TRIES = 5;

	/** The pause before a try, times the number of earlier tries. */
	private static final Duration PAUSE = Duration.ofMillis(300);

	private final SeparateTransactions transactions;

	private final JdbcTemplate jdbc;

	private final EventingSchema schema;

	/**
	 * Sends no query yet.
	 * @param dataSource the DataSource that holds the SDK's tables
	 */
	public JdbcInlineProjections(DataSource dataSource, EventingSchema schema) {
		this.transactions = new SeparateTransactions(BoundedDataSource.of(dataSource, PATIENCE));
		this.jdbc = new JdbcTemplate(this.transactions.dataSource());
		this.schema = schema;
	}

	@Override
	public Optional<InlineStatus> find(String projector) {
		InlineLedger ledger = ledger(projector);
		return this.transactions.read(() -> ledger.find().map((row) -> status(row, ledger)));
	}

	private static InlineStatus status(InlineRow row, InlineLedger ledger) {
		if (row.isDemoted()) {
			return InlineStatus.DEMOTED;
		}
		if (!row.isInline()) {
			return InlineStatus.FOLLOWING;
		}
		return ledger.hasSkips() ? InlineStatus.DIVERGED : InlineStatus.INLINE;
	}

	@Override
	public boolean demote(String projector, String actor, String reason) {
		OperatorText.require("reason", reason);
		boolean changed = set(projector, true, actor, reason);
		endInline(projector, actor);
		return changed;
	}

	/**
	 * Ends it here, because its owner may be paused, or there may be none: then each
	 * event would have a skip. Open appends prevent it, so it is tried again. Other
	 * appends wait during each try.
	 */
	private void endInline(String projector, String actor) {
		InlineLedger ledger = ledger(projector);
		boolean follows = false;
		for (int tries = 0; !follows && tries < MOST_TRIES; tries++) {
			LockSupport.parkNanos(PAUSE.toNanos() * tries);
			try {
				follows = this.transactions.write(() -> {
					if (ledger.find().filter((row) -> row.isDemoted() && row.isInline()).isPresent()) {
						ledger.follow(actor, "demoted");
					}
					return true;
				});
			}
			catch (DataAccessException ex) {
				logger.debug("Projector '{}' is demoted, and does not cease to be inline now.", projector, ex);
			}
		}
	}

	@Override
	public boolean promote(String projector, String actor, @Nullable String reason) {
		return set(projector, false, actor, reason);
	}

	private boolean set(String projector, boolean demoted, String actor, @Nullable String reason) {
		OperatorText.require("actor", actor);
		InlineLedger ledger = ledger(projector);
		return this.transactions.write(() -> {
			if (ledger.find().isEmpty()) {
				throw UnknownNameException.ofProjector(projector, known());
			}
			boolean changed = ledger.demote(demoted);
			if (changed) {
				ledger.audit(actor, demoted ? ProjectionAction.DEMOTED : ProjectionAction.PROMOTED, reason);
			}
			return changed;
		});
	}

	private List<String> known() {
		return this.jdbc.queryForList(
				"select projection_name from %s order by 1".formatted(this.schema.table("projection_inline")),
				String.class);
	}

	private InlineLedger ledger(String projector) {
		return new InlineLedger(this.jdbc, this.schema, ProjectorId.of(projector));
	}

}
