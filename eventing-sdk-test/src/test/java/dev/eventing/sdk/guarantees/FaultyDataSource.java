package dev.eventing.sdk.guarantees;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * A DataSource that throws, once or always, when a certain thread asks for a connection:
 * the way to any thread of the SDK, as all of them use the database.
 */
final class FaultyDataSource extends DelegatingDataSource {

	private final Map<String, Fault> faults = new ConcurrentHashMap<>();

	private final Map<String, Hang> hangs = new ConcurrentHashMap<>();

	FaultyDataSource(DataSource target) {
		super(target);
	}

	/** Puts it in place of the application's own. */
	static void install(AnnotationConfigApplicationContext context, DataSource faulty) {
		context.registerBean("faulty", DataSource.class, () -> faulty, (definition) -> definition.setPrimary(true));
		context.registerBean("platformTransactionManager", PlatformTransactionManager.class,
				() -> new JdbcTransactionManager(faulty));
		context.registerBean("faultyTemplate", JdbcTemplate.class, () -> new JdbcTemplate(faulty),
				(definition) -> definition.setPrimary(true));
	}

	/** The next requests of this thread for a connection fail. */
	Fault failFor(String thread, int times, Throwable thrown) {
		Fault fault = new Fault(thrown, new AtomicInteger(times), new AtomicInteger());
		this.faults.put(thread, fault);
		return fault;
	}

	/** Each connection this thread asks for is given once the latch is open. */
	Hang hang(String thread) {
		Hang hang = Hang.create();
		this.hangs.put(thread, hang);
		return hang;
	}

	@Override
	public Connection getConnection() throws SQLException {
		Hang hang = this.hangs.get(Thread.currentThread().getName());
		if (hang != null) {
			hang.await();
		}
		Fault fault = this.faults.get(Thread.currentThread().getName());
		if (fault != null && fault.left().getAndUpdate((left) -> Math.max(0, left - 1)) > 0) {
			fault.thrownTimes().incrementAndGet();
			FaultyDataSource.<Error>sneak(fault.thrown());
		}
		return super.getConnection();
	}

	/** Unwraps only through itself. */
	@Override
	public boolean isWrapperFor(Class<?> type) {
		return false;
	}

	@SuppressWarnings("unchecked")
	private static <T extends Throwable> void sneak(Throwable thrown) throws T {
		throw (T) thrown;
	}

	/** Whether the thread has come, and whether it may continue. */
	record Hang(CountDownLatch reached, CountDownLatch free) {

		static Hang create() {
			return new Hang(new CountDownLatch(1), new CountDownLatch(1));
		}

		private void await() throws SQLException {
			this.reached.countDown();
			try {
				this.free.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw new SQLException(ex);
			}
		}

		boolean isReached() {
			return this.reached.getCount() == 0;
		}

		void end() {
			this.free.countDown();
		}

	}

	/** The exception, how often it is still thrown, and how often it was. */
	record Fault(Throwable thrown, AtomicInteger left, AtomicInteger thrownTimes) {

		boolean hasStruck() {
			return this.thrownTimes.get() > 0;
		}

	}

}
