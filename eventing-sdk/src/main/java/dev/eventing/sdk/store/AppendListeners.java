package dev.eventing.sdk.store;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import javax.sql.DataSource;

import dev.eventing.sdk.OperatorMustActException;
import dev.eventing.sdk.event.Quoted;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The listeners of a store, in the order of their calls. Thread-safe. */
final class AppendListeners {

	/**
	 * Fails, which is its purpose: PostgreSQL then commits nothing of the transaction,
	 * whatever the caller does with the listener's exception, and whatever the
	 * transaction manager is. A rollback to an earlier savepoint ends this.
	 */
	private static final String ABORT = "select 'a listener of the append failed; the transaction must roll back'::int";

	/** The name of the listener that is called on the thread. */
	private static final ThreadLocal<@Nullable String> CALLED = new ThreadLocal<>();

	private final List<AppendListener> listeners;

	/**
	 * Puts the listeners in order.
	 * @throws OperatorMustActException if two have the same name
	 */
	AppendListeners(List<? extends AppendListener> listeners) {
		Set<String> names = new HashSet<>();
		for (AppendListener listener : listeners) {
			if (!names.add(listener.name())) {
				throw new OperatorMustActException("Two listeners of the event store have the name "
						+ Quoted.of(listener.name()) + ". Consider a different name for each.");
			}
		}
		this.listeners = listeners.stream()
			.<AppendListener>map((listener) -> listener)
			.sorted(Comparator.comparingInt(AppendListener::order).thenComparing(AppendListener::name))
			.toList();
	}

	/**
	 * Call it before anything else of an append.
	 * @throws AppendInListenerException if this thread is in a call of a listener
	 */
	static void requireNoCall(String streamId) {
		String name = CALLED.get();
		if (name != null) {
			throw new AppendInListenerException(streamId, name);
		}
	}

	/** Asks the listeners, and returns those that take part. */
	List<Part> before(PendingAppend append) {
		if (this.listeners.isEmpty()) {
			return List.of();
		}
		List<Part> parts = new ArrayList<>(this.listeners.size());
		for (AppendListener listener : this.listeners) {
			call(listener, () -> {
				AppendGuard guard = listener.beforeAppend(append);
				if (guard != null) {
					parts.add(new Part(listener, guard));
				}
			});
		}
		return parts;
	}

	/**
	 * Calls the listeners that take part. If one throws, the transaction can only be
	 * rolled back.
	 * @param guards the results of the guards, in the order of the parts
	 */
	static void appended(List<Part> parts, AppendedEvents append, List<@Nullable String> guards, JdbcTemplate jdbc) {
		boolean ended = false;
		try {
			for (int at = 0; at < parts.size(); at++) {
				AppendListener listener = parts.get(at).listener();
				String guard = guards.get(at);
				call(listener, () -> listener.appended(append, guard));
			}
			ended = true;
		}
		finally {
			if (!ended) {
				abort(jdbc);
			}
		}
	}

	private static void call(AppendListener listener, Runnable call) {
		CALLED.set(listener.name());
		try {
			call.run();
		}
		finally {
			CALLED.remove();
		}
	}

	/**
	 * The driver does not report a commit that PostgreSQL turned into a rollback. So
	 * Spring's manager for JDBC must know of it, too, and throws at the commit.
	 */
	private static void abort(JdbcTemplate jdbc) {
		DataSource dataSource = jdbc.getDataSource();
		if (dataSource != null
				&& TransactionSynchronizationManager.getResource(dataSource) instanceof ConnectionHolder connection) {
			connection.setRollbackOnly();
		}
		try {
			jdbc.execute(ABORT);
		}
		catch (DataAccessException ex) {
			// the transaction is aborted, or its connection is lost
		}
	}

	/**
	 * A listener that takes part in an append.
	 *
	 * @param listener the listener
	 * @param guard its guard
	 */
	record Part(AppendListener listener, AppendGuard guard) {
	}

}
