package dev.eventing.sdk.deadletter;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Asks for redrives, by marking letters, and counts how far they are. Runs in the
 * caller's transaction.
 */
final class RedriveRequests {

	private final JdbcClient jdbc;

	private final LetterFamilies families;

	private final String letters;

	private final String audit;

	private final String redrives;

	RedriveRequests(JdbcClient jdbc, EventingSchema schema) {
		this.jdbc = jdbc;
		this.families = new LetterFamilies(jdbc, schema);
		this.letters = schema.table("dead_letters");
		this.audit = schema.table("dead_letter_audit");
		this.redrives = schema.table("dead_letter_redrives");
	}

	Redrive plan(LetterConditions conditions) {
		Counts counts = new Counts();
		this.jdbc.sql("""
				%s
				select d.projector_name, count(*) as letters, count(fit.letter_id) as selected
				  from family join %s d using (letter_id) left join fit using (letter_id)
				 group by d.projector_name
				""".formatted(this.families.with(parked(conditions)), this.letters))
			.params(conditions.params())
			.query(counts.each());
		return counts.redrive(null);
	}

	Redrive request(LetterConditions conditions, RedriveRequest request, @Nullable TenantId tenant) {
		Optional<String> locked = this.families.lock(parked(conditions), conditions.params());
		if (locked.isEmpty()) {
			return new Redrive(null, 0, 0, Map.of());
		}
		UUID redriveId = UUID.randomUUID();
		Redrive redrive = mark(redriveId, locked.get(), request.actor());
		record(redriveId, request, tenant, conditions.description(), redrive.letters());
		return redrive;
	}

	private static String parked(LetterConditions conditions) {
		return LetterFamilies.PARKED + " and " + conditions.sql();
	}

	/**
	 * In a statement of its own: it also sees letters that came until all were locked.
	 */
	private Redrive mark(UUID redriveId, String locked, String actor) {
		Counts counts = new Counts();
		// By the primary key, and dead_letters_open_key for the others of the keys.
		this.jdbc.sql("""
				%s,
				marked as (
				  update %s d
				     set status = 'REDRIVING', redrive_id = :redriveId
				   where d.status = 'PARKED' and d.letter_id in (select letter_id from family)
				  returning d.letter_id, d.projector_name),
				audited as (
				  insert into %s (letter_id, actor, action, detail)
				  select marked.letter_id, :actor, 'REDRIVE_REQUESTED',
				         'redrive ' || :redriveId || case when fit.letter_id is null then ', with its key' else '' end
				    from marked left join fit using (letter_id))
				select marked.projector_name, count(*) as letters, count(fit.letter_id) as selected
				  from marked left join fit using (letter_id)
				 group by marked.projector_name
				""".formatted(this.families.with(LetterFamilies.LOCKED), this.letters, this.audit))
			.param("locked", locked)
			.param("redriveId", redriveId)
			.param("actor", StorableText.of(actor))
			.query(counts.each());
		return counts.redrive(redriveId);
	}

	private void record(UUID redriveId, RedriveRequest request, @Nullable TenantId tenant, String selection,
			long count) {
		this.jdbc.sql("""
				insert into %s (redrive_id, actor, tenant_id, selection, letters, rate_per_second)
				values (:redriveId, :actor, :tenantId, :selection, :letters, :rate)
				""".formatted(this.redrives))
			.param("redriveId", redriveId)
			.param("actor", StorableText.of(request.actor()))
			.param("tenantId", (tenant != null) ? tenant.value() : null)
			.param("selection", selection)
			.param("letters", count)
			.param("rate", request.ratePerSecond())
			.update();
	}

	RedriveProgress progress(UUID redriveId, LetterConditions conditions) {
		// By dead_letters_redrive.
		return this.jdbc.sql("""
				select count(*) filter (where d.status = 'REDRIVING'), count(*) filter (where d.status = 'RESOLVED'),
				       count(*) filter (where d.status = 'PARKED'), count(*) filter (where d.status = 'DISCARDED')
				  from %s d
				 where d.redrive_id = :redriveId and %s
				""".formatted(this.letters, conditions.sql()))
			.params(conditions.params())
			.param("redriveId", redriveId)
			.query((row, number) -> new RedriveProgress(redriveId, row.getLong(1), row.getLong(2), row.getLong(3),
					row.getLong(4)))
			.single();
	}

	/** Sums up the rows, one for each projector. */
	private static final class Counts {

		private final Map<String, Long> byProjector = new HashMap<>();

		private long selected;

		private long letters;

		RowCallbackHandler each() {
			return (row) -> {
				this.byProjector.put(row.getString("projector_name"), row.getLong("letters"));
				this.letters += row.getLong("letters");
				this.selected += row.getLong("selected");
			};
		}

		Redrive redrive(@Nullable UUID redriveId) {
			return new Redrive(redriveId, this.selected, this.letters - this.selected, this.byProjector);
		}

	}

}
