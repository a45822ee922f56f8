package dev.eventing.sdk.guarantees;

import static org.awaitility.Awaitility.await;

/**
 * A place in a statement, such as that of a check, where it waits for as long as the test
 * has the lock, whatever its snapshot and its time-out for locks.
 */
final class Parking {

	/** The place of a statement of which there is one in the test. */
	static final int CHECK = 14;

	private static final String FUNCTION = """
			create function parked(place integer) returns boolean language plpgsql as $$
			begin
			  while not pg_try_advisory_lock_shared(place) loop
			    perform pg_sleep(0.02);
			  end loop;
			  perform pg_advisory_unlock_shared(place);
			  return false;
			end $$""";

	private final World world;

	private Parking(World world) {
		this.world = world;
	}

	/** In a world with the function {@code parked}, which returns false. */
	static Parking of(World world) {
		world.jdbc().execute(FUNCTION);
		return new Parking(world);
	}

	/** The statement of a transaction that holds others there until it ends. */
	static String hold(int place) {
		return "select pg_advisory_xact_lock(" + place + ")";
	}

	boolean isParked(int place) {
		return this.world.count("""
				select count(*) from pg_stat_activity
				 where datname = current_database() and wait_event = 'PgSleep' and query like '%%parked(%d)%%'"""
			.formatted(place)) > 0;
	}

	/** Begins the check, and continues once it is in its statement, which then waits. */
	void whileItWaits(Runnable begin, Runnable action) {
		this.world.whileHolding(hold(CHECK), () -> {
			begin.run();
			await().until(() -> isParked(CHECK));
			action.run();
		});
	}

}
