package dev.eventing.sdk.deadletter;

import dev.eventing.sdk.event.TenantId;

/**
 * Very many letters, mixed as they come: projectors, tenants, types, errors and statuses
 * of very different numbers, some of which never meet.
 */
final class ManyLetters {

	static final int COUNT = 100_000;

	static final TenantId TENANT = TenantId.of("tenant-3");

	static final TenantId RARE_TENANT = TenantId.of("rare");

	private ManyLetters() {
	}

	/**
	 * Payloads of 300 bytes, stack traces of 2 KB, one letter each 10 seconds until now.
	 * Half of them are of projector-0, whose types begin with type.0 and whose errors are
	 * Error0 to Error6; one is of projector-9. A key has some 20 letters.
	 */
	static void addTo(LetterBox box) {
		add(box, COUNT, false);
	}

	/** The first of them, all parked. */
	static void addParkedTo(LetterBox box, int count) {
		add(box, count, true);
	}

	private static void add(LetterBox box, int count, boolean parked) {
		box.jdbc.update("""
				insert into eventing.dead_letters (letter_id, projector_name, tenant_id, event_id, event_type,
				       ordering_key, parking_key, subject, headers, payload, stream, stream_sequence, published_at,
				       reason, error_class, error_message, stack_trace, attempts, first_failed_at, dead_at, status)
				select gen_random_uuid(), 'projector-' || p, tenant, gen_random_uuid(), 'type.' || p || '.' || i % 3,
				       'key-' || k, tenant || '/key-' || k, 'orders.' || tenant || '.placed',
				       jsonb_build_object('ce-type', jsonb_build_array('type.' || p), 'ce-id', jsonb_build_array(i)),
				       convert_to('{"pad":"' || repeat(md5(i::text), 9) || '"}', 'UTF8'), 'ORDERS', i,
				       now() - (? - i) * interval '10 s', 'ATTEMPTS_EXHAUSTED', 'dev.shop.Error' || p * 10 + i % 7,
				       'no stock for ' || md5(i::text),
				       (select string_agg(E'\\tat dev.shop.Handler' || left(md5((i * 40 + n)::text), 12)
				                          || '.on(Handler.java:' || n || ')', E'\\n')
				          from generate_series(1, 40) as n),
				       3, now(), now() - (? - i) * interval '10 s',
				       case when ? then 'PARKED' when i % 10 < 3 then 'RESOLVED' when i % 10 = 3 then 'DISCARDED'
				            when i % 1000 = 4 then 'REDRIVING' else 'PARKED' end
				  from (select i, i % 5003 as k,
				               case when i = 50000 then 9 when i % 2 = 0 then 0 when i % 3 = 0 then 1
				                    else 2 + i % 5 end as p,
				               case when i % 777 = 0 then 'rare' else 'tenant-' || i % 40 end as tenant
				          from generate_series(1, ?) as i) as letters
				 order by i
				""", count, count, parked, count);
		box.jdbc.execute("vacuum analyze eventing.dead_letters");
	}

}
