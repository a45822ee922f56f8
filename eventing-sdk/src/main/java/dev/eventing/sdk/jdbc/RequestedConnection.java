package dev.eventing.sdk.jdbc;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection that a separate thread waits for. A pool makes its callers wait as long as
 * its own time-out, and a driver counts whole seconds; who needs the connection can wait
 * for a shorter time here, and again later. For one thread at a time.
 *
 * @param <C> the connection, with what its owner adds to it
 */
final class RequestedConnection<C extends AutoCloseable> {

	private static final Logger logger = LoggerFactory.getLogger(RequestedConnection.class);

	private static final String UNABLE_TO_CONNECT = "08001";

	private final CompletableFuture<C> answer = new CompletableFuture<>();

	private final Thread thread;

	private RequestedConnection(String name, Source<C> source) {
		this.thread = new Thread(() -> ask(source), name);
		this.thread.setDaemon(true);
	}

	/**
	 * Asks for a connection.
	 * @param name that of the thread which waits
	 */
	static <C extends AutoCloseable> RequestedConnection<C> of(String name, Source<C> source) {
		RequestedConnection<C> request = new RequestedConnection<>(name, source);
		request.thread.start();
		return request;
	}

	private void ask(Source<C> source) {
		try {
			C given = source.get();
			if (!this.answer.complete(given)) {
				giveBack(given);
			}
		}
		catch (Exception | Error ex) {
			this.answer.completeExceptionally(ex);
		}
	}

	/**
	 * Waits for the connection. The request stays if this time is over.
	 * @return the connection, which is the caller's then; null if it is not there yet
	 * @throws SQLException if there is none, or the caller was interrupted meanwhile and
	 * the request is abandoned
	 */
	@Nullable C await(long millis) throws SQLException {
		try {
			return this.answer.get(millis, TimeUnit.MILLISECONDS);
		}
		catch (TimeoutException ex) {
			return null;
		}
		catch (InterruptedException ex) {
			abandon();
			Thread.currentThread().interrupt();
			throw new SQLTransientConnectionException("Interrupted while waiting for a connection.", UNABLE_TO_CONNECT,
					ex);
		}
		catch (ExecutionException ex) {
			throw failure(ex);
		}
	}

	private static SQLException failure(ExecutionException failed) {
		Throwable cause = failed.getCause();
		if (cause instanceof Error error) {
			throw error;
		}
		// a pool that opens its first connection throws an exception of its own
		return (cause instanceof SQLException sql) ? sql
				: new SQLTransientConnectionException("There is no connection.", UNABLE_TO_CONNECT, cause);
	}

	/** Gives the connection back, also if it comes only later. Does not wait. */
	void abandon() {
		if (this.answer.cancel(false)) {
			this.thread.interrupt();
		}
		else if (!this.answer.isCompletedExceptionally()) {
			giveBack(this.answer.join());
		}
	}

	/** What tells that a connection did not come in time. */
	static SQLException late(String whence, long millis) {
		return new SQLTransientConnectionException("There was no connection " + whence + " within " + millis + " ms.",
				UNABLE_TO_CONNECT);
	}

	private static void giveBack(AutoCloseable given) {
		try {
			given.close();
		}
		catch (Exception ex) {
			logger.debug("A connection that came too late cannot be closed.", ex);
		}
	}

	/** Gives a connection, after however long. */
	interface Source<C> {

		C get() throws SQLException;

	}

}
