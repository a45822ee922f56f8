package dev.eventing.sdk.store;

import org.jspecify.annotations.Nullable;

/**
 * Takes part in appends, inside the transaction of the caller of {@link EventStore}. It
 * is for extensions of the SDK that must change something together with each append, such
 * as a read model. An application that calls {@code append} itself needs none: it can do
 * the same after the call, in the same transaction.
 *
 * <p>
 * The order of an append:
 * <ol>
 * <li>{@link #beforeAppend} of each listener, before anything is sent
 * <li>one statement. It writes the stream's row, evaluates the {@linkplain AppendGuard
 * guards} of the listeners one after the other, and only then draws positions and inserts
 * the events.
 * <li>{@link #appended} of each listener. The events exist, but only for this transaction
 * </ol>
 * Listeners are called in the order of {@link #order}, then of {@link #name}. All calls
 * are on the thread of the append. A listener that does not take part in an append costs
 * that append nothing.
 *
 * <p>
 * <b>Exceptions.</b> What a listener throws passes to the caller of {@code append}
 * unchanged, and later listeners are not called. Nothing of the append remains: what
 * {@code beforeAppend} throws comes before anything is sent, and the transaction can
 * continue. After a failure of a guard or of {@code appended}, the transaction can only
 * be rolled back, or rolled back to an earlier savepoint, even if the caller catches the
 * exception. A conflict of versions, or any other failure of the append, ends the calls:
 * no guard is evaluated after a conflict, and {@code appended} follows a successful
 * statement only.
 *
 * <p>
 * <b>Rollbacks, retries, crashes.</b> The transaction may still roll back after
 * {@code appended}, in whole or to a savepoint. So a listener must change nothing but
 * this database, through the transaction of the thread, and must remember nothing of an
 * append in memory. A caller that tries again in a new transaction causes all calls
 * again, with the same ids only if the caller chose them. A crash before the commit
 * leaves nothing. A transaction with several appends causes the calls for each of them.
 *
 * <p>
 * A listener must not append: it would lock a second stream after positions were drawn.
 * It gets an {@link AppendInListenerException} then. Implementations are thread-safe.
 */
public interface AppendListener {

	/** The name, unique among the listeners of a store. It does not change. */
	String name();

	/** Listeners of lower order are called first. It does not change. */
	default int order() {
		return 0;
	}

	/**
	 * Called before the append's statement is sent.
	 * @param append what will be appended; versions and positions are not known yet
	 * @return what guards this append, {@link AppendGuard#NONE} if nothing does, or null
	 * if this listener does not take part
	 */
	@Nullable AppendGuard beforeAppend(PendingAppend append);

	/**
	 * Called after the events were inserted, before {@code append} returns. Statements of
	 * the transaction see them.
	 * @param append the events with their versions and positions
	 * @param guard the result of this listener's guard as text, or null if it was SQL
	 * null
	 */
	void appended(AppendedEvents append, @Nullable String guard);

}
