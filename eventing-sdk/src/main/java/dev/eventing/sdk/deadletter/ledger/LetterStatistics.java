package dev.eventing.sdk.deadletter.ledger;

import java.time.Duration;
import java.util.List;

import dev.eventing.sdk.deadletter.DeadLetterStats;
import dev.eventing.sdk.deadletter.DeadLetterStats.Group;
import dev.eventing.sdk.deadletter.DeadLetterStats.Interval;
import dev.eventing.sdk.deadletter.DeadLetterStats.Span;
import dev.eventing.sdk.deadletter.DeadLetterStatus;
import dev.eventing.sdk.schema.EventingSchema;

import org.springframework.jdbc.core.simple.JdbcClient;

/** Counts letters, in the caller's transaction. */
final class LetterStatistics {

	private final JdbcClient jdbc;

	private final String letters;

	LetterStatistics(JdbcClient jdbc, EventingSchema schema) {
		this.jdbc = jdbc;
		this.letters = schema.table("dead_letters");
	}

	DeadLetterStats of(LetterConditions conditions, Duration interval, int intervals) {
		return new DeadLetterStats(groups(conditions), overTime(conditions, interval, intervals));
	}

	private List<Group> groups(LetterConditions conditions) {
		// Reads every letter that matches, once. For operators only; no event waits for
		// it.
		return this.jdbc.sql("""
				select d.projector_name, d.tenant_id, d.event_type, d.reason, d.error_class, d.status,
				       count(*) as letters, min(d.dead_at) as oldest, max(d.dead_at) as newest
				  from %s d
				 where %s
				 group by d.projector_name, d.tenant_id, d.event_type, d.reason, d.error_class, d.status
				 order by letters desc, d.projector_name, d.tenant_id, d.event_type, d.reason, d.error_class, d.status
				""".formatted(this.letters, conditions.sql()))
			.params(conditions.params())
			.query((row, number) -> new Group(row.getString("projector_name"), DeadLetterRows.tenant(row),
					row.getString("event_type"), row.getString("reason"), row.getString("error_class"),
					DeadLetterStatus.valueOf(row.getString("status")), row.getLong("letters"),
					new Span(DeadLetterRows.instant(row, "oldest"), DeadLetterRows.instant(row, "newest"))))
			.list();
	}

	private List<Interval> overTime(LetterConditions conditions, Duration interval, int intervals) {
		// The bounds do not depend on the time of the query, so two queries in a row show
		// the same intervals.
		return this.jdbc.sql("""
				with width as (
				  select make_interval(secs => :seconds) as step),
				last as (
				  select date_bin(step, now(), timestamptz 'epoch') as start, step from width),
				came as (
				  select date_bin(last.step, d.dead_at, timestamptz 'epoch') as start, count(*) as letters
				    from %s d, last
				   where %s and d.dead_at >= last.start - (:intervals - 1) * last.step
				   group by 1)
				select last.start - n * last.step as start, coalesce(came.letters, 0) as letters
				  from last
				 cross join generate_series(0, :intervals - 1) as n
				  left join came on came.start = last.start - n * last.step
				 order by 1
				""".formatted(this.letters, conditions.sql()))
			.params(conditions.params())
			.param("seconds", interval.toMillis() / 1000.0)
			.param("intervals", intervals)
			.query((row, number) -> new Interval(DeadLetterRows.instant(row, "start"), row.getLong("letters")))
			.list();
	}

}
