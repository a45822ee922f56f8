package dev.eventing.sdk.guarantees;

import static org.assertj.core.api.Assertions.assertThat;

/** The ledger's invariants. */
final class Letters {

	private Letters() {
	}

	/**
	 * A closed letter's event counts as applied and an open one's does not; no open
	 * letter waits for a closed one: the first open one of a key is to be run, or has a
	 * reason of its own; and what is closed says when.
	 */
	static void assertConsistent(World world) {
		assertThat(world.count("""
				select count(*) from eventing.dead_letters d
				 where d.tenant_id <> ''
				   and (d.status in ('RESOLVED', 'DISCARDED')) <>
				       exists (select from eventing.processed_events p where p.projector_name = d.projector_name
				                  and p.event_id = d.event_id and p.tenant_id = d.tenant_id)"""))
			.as("letters whose status says something else than processed_events")
			.isZero();
		assertThat(world
			.count("""
					select count(*) from eventing.dead_letters d
					 where d.status = 'PARKED' and d.reason = 'BEHIND'
					   and not exists (select from eventing.dead_letters e
					                    where e.projector_name = d.projector_name and e.parking_key = d.parking_key
					                      and e.letter_number < d.letter_number and e.status in ('PARKED', 'REDRIVING'))"""))
			.as("letters parked behind no open one")
			.isZero();
		assertThat(world.count("""
				select count(*) from eventing.dead_letters
				 where (closed_at is not null) <> (status in ('RESOLVED', 'DISCARDED'))"""))
			.as("letters whose time of closing is wrong")
			.isZero();
	}

}
