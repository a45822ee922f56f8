package dev.eventing.sdk.deadletter.ledger;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

import dev.eventing.sdk.deadletter.AuditEntry;
import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.DeadLetterAction;
import dev.eventing.sdk.deadletter.DeadLetterPage;
import dev.eventing.sdk.deadletter.DeadLetterStatus;
import dev.eventing.sdk.deadletter.DeadLetterSummary;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.simple.JdbcClient;

/** Finds letters, in the caller's transaction. */
public final class LetterQueries {

	private static final int FETCH_SIZE = 1000;

	/**
	 * The letters that are read together end with the one that reaches this number of
	 * bytes.
	 */
	private static final long PAGE_BYTES = 4 << 20;

	private final JdbcClient jdbc;

	private final DeadLetterRows rows;

	private final String letters;

	private final String audit;

	public LetterQueries(JdbcClient jdbc, EventingSchema schema, JsonMapper json) {
		this.jdbc = jdbc;
		this.rows = new DeadLetterRows(json);
		this.letters = schema.table("dead_letters");
		this.audit = schema.table("dead_letter_audit");
	}

	DeadLetterPage page(LetterConditions conditions, @Nullable Long after, int limit) {
		List<DeadLetterSummary> found = summaries(pageSql(conditions, after, limit), conditions, "desc");
		if (found.size() <= limit) {
			return new DeadLetterPage(found, null);
		}
		return new DeadLetterPage(found.subList(0, limit), found.get(limit - 1).number());
	}

	List<DeadLetterSummary> oldest(LetterConditions conditions, int limit) {
		// By the same indexes as a page, forwards.
		return summaries(orderedSql(conditions.sql(), "asc", limit), conditions, "asc");
	}

	private List<DeadLetterSummary> summaries(String page, LetterConditions conditions, String order) {
		// The first entry of dead_letters_open_key, once per letter of the page.
		return this.jdbc.sql("""
				select page.*,
				       case when page.status in ('PARKED', 'REDRIVING') then
				         (select nullif(f.letter_id, page.letter_id)
				            from %s f
				           where f.projector_name = page.projector_name and f.parking_key = page.parking_key
				             and f.status in ('PARKED', 'REDRIVING')
				           order by f.letter_number limit 1) end as behind
				  from (%s) page
				 order by page.letter_number %s
				""".formatted(this.letters, page, order))
			.params(conditions.params())
			.query(LetterQueries::summary)
			.list();
	}

	/**
	 * Selects one letter more than the page has, to find out whether there is another
	 * page.
	 */
	public String pageSql(LetterConditions conditions, @Nullable Long after, int limit) {
		String before = (after != null) ? " and d.letter_number < " + after : "";
		// By dead_letters_list, backwards until the page is full. If few letters match,
		// by one of dead_letters_type, _error, _ordering, _event, _redriving and a sort.
		return orderedSql(conditions.sql() + before, "desc", limit + 1);
	}

	private String orderedSql(String condition, String order, int limit) {
		return """
				select d.letter_id, d.letter_number, d.projector_name, d.tenant_id, d.event_id, d.event_type,
				       d.ordering_key, d.reason, d.error_class, d.error_message, d.attempts, d.redrives, d.dead_at,
				       d.status, d.parking_key
				  from %s d
				 where %s
				 order by d.letter_number %s
				 limit %s
				""".formatted(this.letters, condition, order, limit);
	}

	long count(LetterConditions conditions) {
		return this.jdbc.sql("select count(*) from %s d where %s".formatted(this.letters, conditions.sql()))
			.params(conditions.params())
			.query(Long.class)
			.single();
	}

	Optional<DeadLetter> find(LetterConditions conditions) {
		// By the primary key: the conditions contain the id.
		return this.jdbc.sql("select d.* from %s d where %s".formatted(this.letters, conditions.sql()))
			.params(conditions.params())
			.query(this.rows)
			.optional();
	}

	/** Holds a few megabytes at a time, whatever the number of letters. */
	void each(LetterConditions conditions, Consumer<DeadLetter> action) {
		List<UUID> part = new ArrayList<>();
		long[] bytes = { 0 };
		// By dead_letters_list, or all rows and a sort if most of them match. Without
		// contents, because a fetch has a thousand rows.
		this.jdbc
			.sql("select d.letter_id, %s as bytes from %s d where %s order by d.letter_number"
				.formatted(DeadLetterRows.BYTES, this.letters, conditions.sql()))
			.withFetchSize(FETCH_SIZE)
			.params(conditions.params())
			.query((row) -> {
				part.add(row.getObject("letter_id", UUID.class));
				bytes[0] += row.getLong("bytes");
				if (bytes[0] >= PAGE_BYTES) {
					read(part).forEach(action);
					part.clear();
					bytes[0] = 0;
				}
			});
		read(part).forEach(action);
	}

	private List<DeadLetter> read(List<UUID> letterIds) {
		// By the primary key.
		return this.jdbc
			.sql("select * from %s where letter_id = any(:ids) order by letter_number".formatted(this.letters))
			.param("ids", UuidArray.of(letterIds))
			.query(this.rows)
			.list();
	}

	List<AuditEntry> audit(LetterConditions conditions) {
		// By the primary key, then by dead_letter_audit_letter.
		return this.jdbc.sql("""
				select a.at, a.actor, a.action, a.detail
				  from %s d join %s a on a.letter_id = d.letter_id
				 where %s
				 order by a.audit_id
				""".formatted(this.letters, this.audit, conditions.sql()))
			.params(conditions.params())
			.query((row, number) -> new AuditEntry(DeadLetterRows.instant(row, "at"), row.getString("actor"),
					DeadLetterAction.valueOf(row.getString("action")), row.getString("detail")))
			.list();
	}

	private static DeadLetterSummary summary(ResultSet row, int number) throws SQLException {
		return new DeadLetterSummary(row.getObject("letter_id", UUID.class), row.getLong("letter_number"),
				row.getString("projector_name"), DeadLetterRows.identity(row),
				new DeadLetterSummary.Cause(row.getString("reason"), row.getString("error_class"),
						row.getString("error_message"), row.getInt("attempts"), row.getObject("behind", UUID.class)),
				row.getInt("redrives"), DeadLetterRows.instant(row, "dead_at"),
				DeadLetterStatus.valueOf(row.getString("status")));
	}

}
