package dev.eventing.sdk.projector.failure;

import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import dev.eventing.sdk.deadletter.TextForm;
import dev.eventing.sdk.event.ProjectorId;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Writes texts of the events of one projector, and of their errors, that a database may
 * refuse. Thread-safe.
 */
public final class RefusedTexts {

	private static final Logger logger = LoggerFactory.getLogger(RefusedTexts.class);

	/** A value that a type or an encoding cannot hold. */
	private static final String DATA_EXCEPTION = "22";

	/** Such as a text that is too long for an index. */
	private static final String LIMIT_EXCEEDED = "54";

	private final ProjectorId projector;

	/** The forms that the log has named, each with the SQL state that led to it. */
	private final Set<TextForm> named = ConcurrentHashMap.newKeySet();

	public RefusedTexts(ProjectorId projector) {
		this.projector = projector;
	}

	/**
	 * Runs an action that writes texts in a separate transaction. Runs it again with
	 * {@link TextForm#next the next form} if the database refuses a text.
	 * @throws RuntimeException the exception of the last run
	 */
	public <T> T write(Function<TextForm, T> action) {
		TextForm form = TextForm.WHOLE;
		while (true) {
			try {
				return action.apply(form);
			}
			catch (RuntimeException ex) {
				String sqlState = refusal(ex);
				TextForm next = (sqlState != null) ? form.next(sqlState) : null;
				if (next == null) {
					throw ex;
				}
				form = next;
				report(form);
			}
		}
	}

	/**
	 * The first one of a kind is a WARN. Further ones are DEBUG: each letter says so,
	 * too. The message of the database may contain data of the event.
	 */
	private void report(TextForm form) {
		logger.atLevel(this.named.add(form) ? Level.WARN : Level.DEBUG)
			.log("Projector '{}': the database refuses a text of an event or of its error with SQL state {}. It is"
					+ " written {}.", this.projector, form.sqlState(),
					form.plain() ? "in ASCII" : "without the texts of the error");
	}

	private static @Nullable String refusal(Throwable failure) {
		Throwable refused = FailureClassifier.find(failure,
				(cause) -> cause instanceof SQLException sql && isRefusal(String.valueOf(sql.getSQLState())));
		return (refused instanceof SQLException sql) ? sql.getSQLState() : null;
	}

	private static boolean isRefusal(String sqlState) {
		return sqlState.startsWith(DATA_EXCEPTION) || sqlState.startsWith(LIMIT_EXCEEDED);
	}

}
