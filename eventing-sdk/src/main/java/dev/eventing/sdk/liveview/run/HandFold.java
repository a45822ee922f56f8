package dev.eventing.sdk.liveview.run;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.liveview.LiveState;
import dev.eventing.sdk.liveview.LiveStateFormException;
import dev.eventing.sdk.liveview.LiveVersion;
import dev.eventing.sdk.liveview.client.StateReader;
import dev.eventing.sdk.liveview.fold.ViewFold;
import dev.eventing.sdk.liveview.fold.ViewFold.Folded;
import dev.eventing.sdk.liveview.fold.ViewHandler;
import dev.eventing.sdk.liveview.ledger.LiveStates;
import dev.eventing.sdk.liveview.ledger.LiveStates.Address;
import dev.eventing.sdk.liveview.ledger.LiveStates.Found;
import dev.eventing.sdk.liveview.ledger.LiveStates.Stored;
import dev.eventing.sdk.projector.StateForm;

import org.springframework.dao.ConcurrencyFailureException;

/** Changes states of a view by hand, each in a separate transaction. Thread-safe. */
final class HandFold {

	/** The owner of the view may change the state again and again. */
	private static final int TRIES = 10;

	private final ViewFold<?> fold;

	private final ViewHandler handler;

	private final ViewTables tables;

	private final StateReader reader;

	HandFold(ViewFold<?> fold, ViewHandler handler, ViewTables tables, StateReader reader) {
		this.fold = fold;
		this.handler = handler;
		this.tables = tables;
		this.reader = reader;
	}

	/**
	 * Refuses code that would change states of another form.
	 * @param feeding the code that feeds the live generation
	 */
	void requireStates(LiveStates.Feeding feeding) {
		String difference = StateForm.difference(this.fold.states(), feeding.definition());
		if (difference != null) {
			throw new LiveStateFormException(this.fold.name(), feeding.version(), this.fold.version(), difference);
		}
	}

	List<LiveState> apply(Event<?> event) {
		Map<Address, List<Event<?>>> byKey = this.handler.byKey(List.of(event));
		return byKey.isEmpty() ? List.of() : inTransaction(() -> {
			List<Folded> folded = this.handler.apply(byKey);
			long liveEpoch = liveEpoch();
			return folded.stream().map((each) -> state(each, liveEpoch)).toList();
		});
	}

	LiveState rebuild(Address address, List<Event<?>> events) {
		for (Event<?> event : events) {
			if (!event.tenantId().equals(address.tenant()) || !this.fold.keysOf(event).contains(address.key())) {
				throw new IllegalArgumentException("Event " + event.id() + " (" + event.type() + ") is not of key '"
						+ address.key() + "' of tenant '" + address.tenant() + "' in live view '" + this.fold.name()
						+ "'. Consider the events of this key only.");
			}
		}
		return inTransaction(() -> events.isEmpty() ? delete(address) : replace(address, events));
	}

	private LiveState replace(Address address, List<Event<?>> events) {
		Found found = this.tables.states().find(this.fold.name(), List.of(address));
		Folded folded = this.fold.rebuild(address, found.states().get(0), events, found.liveEpoch());
		this.handler.write(found, List.of(folded));
		return state(folded, found.liveEpoch());
	}

	private LiveState delete(Address address) {
		LiveStates states = this.tables.states();
		Found found = states.find(this.fold.name(), List.of(address));
		Optional<Long> deleted = states.delete(this.fold.name(), found.generation(), address);
		Stored stored = found.states().get(0);
		long version = deleted.orElse((stored != null) ? stored.version() : 0);
		LiveVersion gone = new LiveVersion(found.liveEpoch(), version);
		if (deleted.isPresent() && found.isLive()) {
			Runnable tell = () -> this.handler.tell(address, gone);
			this.handler.afterCommit(tell, tell);
		}
		return this.reader.of(address, gone, null);
	}

	private long liveEpoch() {
		return this.tables.states().find(this.fold.name(), List.of()).liveEpoch();
	}

	private LiveState state(Folded folded, long liveEpoch) {
		return this.reader.of(folded.changed().address(), new LiveVersion(liveEpoch, folded.changed().version()),
				folded.state());
	}

	private <T> T inTransaction(Supplier<T> work) {
		for (int i = 1;; i++) {
			try {
				return Objects.requireNonNull(this.tables.transactions().execute((status) -> work.get()));
			}
			catch (ConcurrencyFailureException ex) {
				if (i == TRIES) {
					throw ex;
				}
			}
		}
	}

}
