package dev.eventing.sdk.projector.failure;

import java.sql.SQLException;
import java.util.function.Function;

import dev.eventing.sdk.deadletter.TextForm;
import dev.eventing.sdk.event.ProjectorId;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes texts of events and errors that a database may refuse. */
public final class RefusedTexts {

	private static final Logger logger = LoggerFactory.getLogger(RefusedTexts.class);

	/** A value that a type or an encoding cannot hold. */
	private static final String DATA_EXCEPTION = "22";

	/** Such as a text that is too long for an index. */
	private static final String LIMIT_EXCEEDED = "54";

	private RefusedTexts() {
	}

	/**
	 * Runs an action that writes texts in a transaction of its own. Runs it again with
	 * {@link TextForm#next the next form} if the database refuses a text.
	 * @param projector for the log
	 * @throws RuntimeException the exception of the last run
	 */
	public static <T> T write(ProjectorId projector, Function<TextForm, T> action) {
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
				// the message of the database may contain data of the event
				logger.warn(
						"Projector '{}': the database refuses a text of an event or of its error with SQL state"
								+ " {}. It is written {}.",
						projector, sqlState, next.plain() ? "in ASCII" : "without the texts of the error");
			}
		}
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
