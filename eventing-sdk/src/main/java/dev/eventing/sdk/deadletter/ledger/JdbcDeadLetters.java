package dev.eventing.sdk.deadletter.ledger;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;

import javax.sql.DataSource;

import dev.eventing.sdk.deadletter.AuditEntry;
import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.DeadLetterPage;
import dev.eventing.sdk.deadletter.DeadLetterStats;
import dev.eventing.sdk.deadletter.DeadLetterSummary;
import dev.eventing.sdk.deadletter.DeadLetters;
import dev.eventing.sdk.deadletter.LettersChangedException;
import dev.eventing.sdk.deadletter.Redrive;
import dev.eventing.sdk.deadletter.RedriveProgress;
import dev.eventing.sdk.deadletter.RedriveRequest;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.jdbc.BoundedDataSource;
import dev.eventing.sdk.jdbc.SeparateTransactions;
import dev.eventing.sdk.lease.LeaseHolder;
import dev.eventing.sdk.lease.LeaseHolders;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.simple.JdbcClient;

/** The operations on the ledger in PostgreSQL. Thread-safe. */
public final class JdbcDeadLetters implements DeadLetters {

	/**
	 * The time limit of a statement. An operator may select a hundred thousand letters.
	 */
	private static final Duration PATIENCE = Duration.ofMinutes(5);

	private final Shared shared;

	private final @Nullable TenantId scope;

	/**
	 * Sends no query yet.
	 * @param dataSource the DataSource that holds the SDK's tables
	 * @param schema the schema of the tables
	 * @param json writes and reads the headers
	 */
	public JdbcDeadLetters(DataSource dataSource, EventingSchema schema, JsonMapper json) {
		this(Shared.of(dataSource, schema, json), null);
	}

	private JdbcDeadLetters(Shared shared, @Nullable TenantId scope) {
		this.shared = shared;
		this.scope = scope;
	}

	@Override
	public DeadLetters scopedTo(TenantId tenantId) {
		if (this.scope != null && !this.scope.equals(tenantId)) {
			throw new IllegalArgumentException("Dead letters that are scoped to tenant '" + this.scope
					+ "' cannot be scoped to tenant '" + tenantId + "'. Consider DeadLetters without a scope.");
		}
		return new JdbcDeadLetters(this.shared, tenantId);
	}

	@Override
	public @Nullable TenantId scope() {
		return this.scope;
	}

	@Override
	public DeadLetterPage find(DeadLetterFilter filter, @Nullable Long after, int limit) {
		requireLimit(limit);
		return this.shared.read(() -> this.shared.queries.page(conditions(filter), after, limit));
	}

	@Override
	public List<DeadLetterSummary> oldest(DeadLetterFilter filter, int limit) {
		requireLimit(limit);
		return this.shared.read(() -> this.shared.queries.oldest(conditions(filter), limit));
	}

	@Override
	public long count(DeadLetterFilter filter) {
		return this.shared.read(() -> this.shared.queries.count(conditions(filter)));
	}

	@Override
	public Optional<DeadLetter> get(UUID letterId) {
		return this.shared.read(() -> this.shared.queries.find(conditions(letterId)));
	}

	@Override
	public void forEach(DeadLetterFilter filter, Consumer<DeadLetter> action) {
		this.shared.read(() -> {
			this.shared.queries.each(conditions(filter), action);
			return filter;
		});
	}

	@Override
	public List<AuditEntry> audit(UUID letterId) {
		return this.shared.read(() -> this.shared.queries.audit(conditions(letterId)));
	}

	@Override
	public DeadLetterStats stats(DeadLetterFilter filter, Duration interval, int intervals) {
		if (interval.compareTo(Duration.ofSeconds(1)) < 0) {
			throw new IllegalArgumentException("'interval' must be at least one second, was " + interval + ".");
		}
		if (intervals < 1 || intervals > MAX_INTERVALS) {
			throw new IllegalArgumentException(
					"'intervals' must be 1 to " + MAX_INTERVALS + ", was " + intervals + ".");
		}
		return this.shared.read(() -> this.shared.statistics.of(conditions(filter), interval, intervals));
	}

	@Override
	public Redrive plan(DeadLetterFilter filter) {
		return this.shared.read(() -> this.shared.redrives.plan(conditions(filter)));
	}

	@Override
	public Redrive redrive(RedriveRequest request) {
		TenantId tenant = (this.scope != null) ? this.scope : request.filter().tenantId();
		return this.shared.write(() -> this.shared.redrives.request(conditions(request.filter()), request, tenant));
	}

	@Override
	public RedriveProgress progress(UUID redriveId) {
		return this.shared.read(() -> this.shared.redrives.progress(redriveId, conditions(DeadLetterFilter.ALL)));
	}

	@Override
	public List<String> waiting(UUID redriveId) {
		return this.shared.read(() -> this.shared.redrives.waiting(redriveId, conditions(DeadLetterFilter.ALL)));
	}

	@Override
	public long discard(DeadLetterFilter filter, String actor, String reason) {
		return discard(filter, Long.MAX_VALUE, actor, reason);
	}

	@Override
	public long discard(DeadLetterFilter filter, long most, String actor, String reason) {
		requireNotBlank(actor, reason);
		return this.shared.write(() -> {
			long discarded = this.shared.discards.discard(conditions(filter), actor, reason);
			if (discarded > most) {
				throw new LettersChangedException(most, discarded);
			}
			return discarded;
		});
	}

	@Override
	public long planDiscard(DeadLetterFilter filter) {
		return this.shared.read(() -> this.shared.discards.plan(conditions(filter)));
	}

	@Override
	public void edit(UUID letterId, byte @Nullable [] payload, String actor, String reason) {
		requireNotBlank(actor, reason);
		this.shared.write(() -> {
			this.shared.edits.edit(letterId, conditions(letterId), payload, actor, reason);
			return letterId;
		});
	}

	@Override
	public Optional<LeaseHolder> redriver(String projector) {
		return ProjectorId.find(projector)
			.flatMap((id) -> this.shared.leases.current(List.of(id.lease(), id.redriveLease())));
	}

	private LetterConditions conditions(DeadLetterFilter filter) {
		return LetterConditions.of(filter, this.scope);
	}

	private LetterConditions conditions(UUID letterId) {
		return LetterConditions.of(letterId, this.scope);
	}

	private static void requireLimit(int limit) {
		if (limit < 1 || limit > MAX_PAGE) {
			throw new IllegalArgumentException("'limit' must be 1 to " + MAX_PAGE + ", was " + limit + ".");
		}
	}

	private static void requireNotBlank(String actor, String reason) {
		if (actor.isBlank()) {
			throw new IllegalArgumentException(
					"'actor' must not be blank. Consider the name of the user who requests it.");
		}
		if (reason.isBlank()) {
			throw new IllegalArgumentException(
					"'reason' must not be blank. Consider a text for later readers of the audit.");
		}
	}

	/** The parts that all scopes share. */
	private record Shared(LetterTransactions transactions, LetterQueries queries, LetterStatistics statistics,
			RedriveRequests redrives, LetterDiscards discards, LetterEdits edits, LeaseHolders leases) {

		static Shared of(DataSource dataSource, EventingSchema schema, JsonMapper json) {
			SeparateTransactions transactions = new SeparateTransactions(BoundedDataSource.of(dataSource, PATIENCE));
			DataSource patient = transactions.dataSource();
			JdbcClient jdbc = JdbcClient.create(patient);
			return new Shared(new LetterTransactions(transactions), new LetterQueries(jdbc, schema, json),
					new LetterStatistics(jdbc, schema), new RedriveRequests(jdbc, schema),
					new LetterDiscards(jdbc, schema), new LetterEdits(jdbc, schema, json),
					new LeaseHolders(patient, schema));
		}

		<T> T read(Supplier<T> work) {
			return this.transactions.read(work);
		}

		<T> T write(Supplier<T> work) {
			return this.transactions.write(work);
		}
	}

}
