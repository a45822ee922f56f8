package dev.eventing.sdk.projector.inline;

import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import dev.eventing.sdk.event.EventReader;
import dev.eventing.sdk.projector.CommitListener;
import dev.eventing.sdk.projector.EventStoreAccess;
import dev.eventing.sdk.projector.HandlerMode;
import dev.eventing.sdk.projector.InlineProjectionException;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.delivery.RoutedEvent;
import dev.eventing.sdk.projector.effect.EffectOutlet;
import dev.eventing.sdk.projector.effect.Handling;
import dev.eventing.sdk.projector.failure.FailureClassifier;
import dev.eventing.sdk.projector.failure.Interrupts;
import dev.eventing.sdk.projector.transaction.AfterCommit;
import dev.eventing.sdk.projector.transaction.HandlerCalls;
import dev.eventing.sdk.projector.transaction.HandlerFailedException;
import dev.eventing.sdk.projector.write.AdditionTargets;
import dev.eventing.sdk.store.StoredEvent;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.support.SQLExceptionSubclassTranslator;
import org.springframework.jdbc.support.SQLExceptionTranslator;

/**
 * One version of an inline projector, as appends run it: on their thread, in their
 * transaction. Thread-safe.
 */
final class InlineProjector {

	private final ProjectorEndpoint endpoint;

	private final String code;

	private final JdbcOperations jdbc;

	private final InlineEvents events;

	/** Leaves the flags of the appending threads alone. */
	private final Interrupts interrupts = new Interrupts(new CountDownLatch(0));

	private final AfterCommit afterCommit;

	private final SQLExceptionTranslator errors = new SQLExceptionSubclassTranslator();

	/** Effects are refused at the start. */
	private final Handling handling;

	private volatile Calls calls;

	InlineProjector(ProjectorEndpoint endpoint, JdbcOperations jdbc, EventReader reader, EventStoreAccess store) {
		this.endpoint = endpoint;
		this.code = InlineCode.of(endpoint, store.subjects());
		this.jdbc = jdbc;
		this.events = new InlineEvents(endpoint, reader, store);
		this.afterCommit = new AfterCommit(endpoint.id(), endpoint.commits(), this.interrupts);
		this.handling = new Handling(endpoint.id(), HandlerMode.LIVE, (event) -> false, store.appends(),
				EffectOutlet.NONE);
		this.calls = calls(0);
	}

	String code() {
		return this.code;
	}

	String name() {
		return this.endpoint.name();
	}

	int version() {
		return this.endpoint.readModel().version();
	}

	/**
	 * Applies the events that a handler takes.
	 * @param turn with another one than before, the tables may belong to another
	 * generation
	 * @throws InlineProjectionException if one cannot be applied
	 */
	void apply(List<StoredEvent> appended, long turn) {
		List<RoutedEvent> taken = this.events.taken(appended);
		if (taken.isEmpty()) {
			return;
		}
		Calls current = this.calls;
		if (current.turn() != turn) {
			current = calls(turn);
			this.calls = current;
		}
		try {
			current.handlers().run(taken, (event) -> {
			});
		}
		catch (RuntimeException ex) {
			throw failure(taken, ex);
		}
		if (this.endpoint.commits() != CommitListener.NONE) {
			InlineCommits.add(this.afterCommit, taken);
		}
	}

	private Calls calls(long turn) {
		return new Calls(turn, new HandlerCalls(new AdditionTargets(this.jdbc), this.interrupts, this.handling));
	}

	private RuntimeException failure(List<RoutedEvent> taken, RuntimeException failure) {
		Throwable error = HandlerFailedException.errorOf(failure);
		FailureClassifier.rethrowIfOfTheProcess(error);
		RuntimeException passing = FailureClassifier.isTransient(error) ? unchecked(error) : null;
		if (passing != null) {
			return passing;
		}
		RoutedEvent culprit = (failure instanceof HandlerFailedException failed && failed.culprit() != null)
				? failed.culprit() : taken.get(0);
		String problem = (failure instanceof HandlerFailedException failed) ? failed.getMessage() + " with "
				: "It failed with ";
		return new InlineProjectionException(name(), culprit.event(), problem + error.getClass().getName() + ".",
				error);
	}

	/** As a caller of an append can catch it; null if that is not possible. */
	private @Nullable RuntimeException unchecked(Throwable passing) {
		if (passing instanceof SQLException thrown) {
			return this.errors.translate("run an inline handler", null, thrown);
		}
		return (passing instanceof RuntimeException other) ? other : null;
	}

	/**
	 * How the handlers are called.
	 *
	 * @param turn the turn for which this is
	 */
	private record Calls(long turn, HandlerCalls handlers) {
	}

}
