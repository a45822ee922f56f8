package dev.eventing.sdk.guarantees;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import dev.eventing.sdk.test.timing.Elapsed;
import dev.eventing.sdk.test.timing.Stopwatch;

/**
 * Threads that read all accounts by name, again and again, each over a connection of its
 * own. Half of them prepare their statement once, the others send a simple one each time.
 * Notes each version that goes back, each error, and the longest time of a statement with
 * what the machine had to do with it.
 */
final class SwitchReaders implements AutoCloseable {

	private static final String READ = "select account, version from account";

	private final String url;

	/**
	 * Between two reads of a thread: nine threads that hardly rest take a small machine
	 * from the projector. A lock that is held for longer meets them all.
	 */
	private static final long REST_MILLIS = 4;

	/** Between two looks at the locks. */
	private static final long LOOK_MILLIS = 1;

	/** A stopwatch that is this late counts that the machine stood still. */
	private static final long COUNTED_MILLIS = 10;

	private final CountDownLatch over = new CountDownLatch(1);

	private final List<String> problems = new CopyOnWriteArrayList<>();

	private final Stopwatch machine = Stopwatch.start();

	private final AtomicReference<Elapsed> longest = new AtomicReference<>(
			new Elapsed(Duration.ZERO, Duration.ZERO, 1));

	private final AtomicLong reads = new AtomicLong();

	private final AtomicLong waits = new AtomicLong();

	private final List<Thread> threads = new ArrayList<>();

	/**
	 * Begins to read with eight threads, and to look whether one of them waits for a
	 * lock.
	 */
	SwitchReaders(String url) {
		this.url = url;
		for (int number = 0; number < 8; number++) {
			boolean isSimple = number % 2 == 1;
			start(() -> read(isSimple));
		}
		start(this::watch);
	}

	/** A transaction that reads, and stays open for about as long; then another. */
	void startLongTransactions(long millis) {
		start(() -> {
			Map<String, Long> seen = new HashMap<>();
			try (Connection connection = connection("long-reader", "")) {
				connection.setAutoCommit(false);
				while (!isOver(REST_MILLIS)) {
					long end = System.nanoTime() + millis * 1_000_000;
					try (Statement statement = connection.createStatement()) {
						while (System.nanoTime() < end && this.over.getCount() > 0) {
							compare(statement.executeQuery(READ), seen);
							statement.execute("select pg_sleep(0.02)");
						}
					}
					connection.commit();
				}
			}
		});
	}

	private void start(Reading reading) {
		Thread thread = new Thread(() -> {
			try {
				reading.run();
			}
			catch (SQLException | InterruptedException ex) {
				this.problems.add(String.valueOf(ex.getMessage()));
			}
		});
		this.threads.add(thread);
		thread.start();
	}

	private void read(boolean isSimple) throws SQLException, InterruptedException {
		Map<String, Long> seen = new HashMap<>();
		try (Connection connection = connection("reader", isSimple ? "&preferQueryMode=simple" : "&prepareThreshold=1");
				PreparedStatement statement = connection.prepareStatement(READ)) {
			while (!isOver(REST_MILLIS)) {
				Duration late = this.machine.late();
				long begun = System.nanoTime();
				ResultSet rows = statement.executeQuery();
				note(Duration.ofNanos(System.nanoTime() - begun), late);
				compare(rows, seen);
				this.reads.incrementAndGet();
			}
		}
	}

	private void note(Duration took, Duration lateBefore) throws InterruptedException {
		if (took.compareTo(ofTheServer(this.longest.get())) > 0) {
			this.over.await(COUNTED_MILLIS, TimeUnit.MILLISECONDS);
			this.longest.accumulateAndGet(new Elapsed(took, this.machine.late().minus(lateBefore), 1),
					(one, other) -> (ofTheServer(other).compareTo(ofTheServer(one)) > 0) ? other : one);
		}
	}

	private static Duration ofTheServer(Elapsed read) {
		return read.took().minus(read.late());
	}

	private void compare(ResultSet rows, Map<String, Long> seen) throws SQLException {
		int count = 0;
		while (rows.next()) {
			count++;
			Long before = seen.put(rows.getString(1), rows.getLong(2));
			if (before != null && before > rows.getLong(2)) {
				this.problems.add(rows.getString(1) + " went back from " + before + " to " + rows.getLong(2));
			}
		}
		if (count < seen.size()) {
			this.problems.add("saw " + count + " of " + seen.size() + " accounts");
		}
	}

	/** Locks on tables alone: a reader takes no other that anyone holds. */
	private void watch() throws SQLException, InterruptedException {
		try (Connection connection = connection("watch", "");
				PreparedStatement statement = connection.prepareStatement(
						"""
								select count(*) from pg_locks l join pg_stat_activity a using (pid)
								 where not l.granted and a.application_name like '%reader' and a.datname = current_database()""")) {
			while (!isOver(LOOK_MILLIS)) {
				ResultSet rows = statement.executeQuery();
				rows.next();
				this.waits.addAndGet(rows.getLong(1));
			}
		}
	}

	/** Rests for a moment. */
	private boolean isOver(long millis) throws InterruptedException {
		return this.over.await(millis, TimeUnit.MILLISECONDS);
	}

	private Connection connection(String name, String options) throws SQLException {
		return DriverManager.getConnection(this.url + "&ApplicationName=" + name + options, "postgres", "");
	}

	long reads() {
		return this.reads.get();
	}

	/** How often a reader was seen waiting for a lock. */
	long waits() {
		return this.waits.get();
	}

	/** The longest time of a statement, when they have ended. */
	Elapsed longest() {
		Elapsed read = this.longest.get();
		return new Elapsed(read.took(), read.late(), this.machine.stop().crowding());
	}

	List<String> problems() {
		return this.problems;
	}

	@Override
	public void close() throws InterruptedException {
		this.over.countDown();
		for (Thread thread : this.threads) {
			thread.join();
		}
		this.machine.close();
	}

	/** Reads until the end. */
	private interface Reading {

		void run() throws SQLException, InterruptedException;

	}

}
