package dev.eventing.sdk.deadletter.ledger;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import dev.eventing.sdk.deadletter.Redrive;
import dev.eventing.sdk.deadletter.RedriveProgress;
import dev.eventing.sdk.deadletter.RedriveRequest;
import dev.eventing.sdk.deadletter.StorableText;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Requests redrives by changing the status of letters, and counts their progress. Runs in
 * the caller's transaction.
 */
final class RedriveRequests {

	private final JdbcClient jdbc;

	private final KeyedLetters families;

	private final String letters;

	private final String audit;

	private final String redrives;

	RedriveRequests(JdbcClient jdbc, EventingSchema schema) {
		this.jdbc = jdbc;
		this.families = new KeyedLetters(jdbc, schema);
		this.letters = schema.table("dead_letters");
		this.audit = schema.table("dead_letter_audit");
		this.redrives = schema.table("dead_letter_redrives");
	}

	Redrive plan(LetterConditions conditions) {
		Counts counts = new Counts();
		this.jdbc.sql("""
				%s
				select projector_name, fits, count(*) as letters from family group by projector_name, fits
				""".formatted(this.families.with(parked(conditions)))).params(conditions.params()).query(counts.each());
		return counts.redrive(null);
	}

	Redrive request(LetterConditions conditions, RedriveRequest request, @Nullable TenantId tenant) {
		Optional<KeyedLetters.Locked> locked = this.families.lock(parked(conditions), conditions.params());
		if (locked.isEmpty()) {
			return new Redrive(null, 0, 0, Map.of());
		}
		UUID redriveId = UUID.randomUUID();
		Counts counts = new Counts();
		mark(redriveId, locked.get().fitting(), true, request.actor(), counts);
		String others = locked.get().others();
		if (others != null) {
			mark(redriveId, others, false, request.actor(), counts);
		}
		Redrive redrive = counts.redrive(redriveId);
		record(redriveId, request, tenant, conditions.description(), redrive.letters());
		return redrive;
	}

	private static String parked(LetterConditions conditions) {
		return KeyedLetters.PARKED + " and " + conditions.sql();
	}

	private void mark(UUID redriveId, String locked, boolean fits, String actor, Counts counts) {
		// By the primary key.
		this.jdbc.sql("""
				with marked as (
				  update %s d
				     set status = 'REDRIVING', redrive_id = :redriveId
				   where %s
				  returning d.letter_id, d.projector_name),
				audited as (
				  insert into %s (letter_id, actor, action, detail)
				  select letter_id, :actor, 'REDRIVE_REQUESTED', :detail from marked)
				select projector_name, cast(:fits as boolean) as fits, count(*) as letters
				  from marked
				 group by projector_name
				""".formatted(this.letters, KeyedLetters.LOCKED, this.audit))
			.param("locked", locked)
			.param("redriveId", redriveId)
			.param("actor", StorableText.of(actor))
			.param("detail", "redrive " + redriveId + (fits ? "" : ", with another letter of its key"))
			.param("fits", fits)
			.query(counts.each());
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

	/** The projectors whose letters of this redrive are still to be run. */
	List<String> waiting(UUID redriveId, LetterConditions conditions) {
		// By dead_letters_redrive.
		return this.jdbc.sql("""
				select distinct d.projector_name from %s d
				 where d.redrive_id = :redriveId and d.status = 'REDRIVING' and %s
				 order by 1
				""".formatted(this.letters, conditions.sql()))
			.params(conditions.params())
			.param("redriveId", redriveId)
			.query(String.class)
			.list();
	}

	/** Adds up rows of {@code projector_name, fits, letters}. */
	private static final class Counts {

		private final Map<String, Long> byProjector = new HashMap<>();

		private long selected;

		private long letters;

		RowCallbackHandler each() {
			return (row) -> {
				long count = row.getLong("letters");
				this.byProjector.merge(row.getString("projector_name"), count, Long::sum);
				this.letters += count;
				this.selected += row.getBoolean("fits") ? count : 0;
			};
		}

		Redrive redrive(@Nullable UUID redriveId) {
			return new Redrive(redriveId, this.selected, this.letters - this.selected, this.byProjector);
		}

	}

}
