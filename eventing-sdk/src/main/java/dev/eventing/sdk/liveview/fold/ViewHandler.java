package dev.eventing.sdk.liveview.fold;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.liveview.LiveVersion;
import dev.eventing.sdk.liveview.fold.ViewFold.Folded;
import dev.eventing.sdk.liveview.frame.FramePublisher;
import dev.eventing.sdk.liveview.ledger.LiveStates.Address;
import dev.eventing.sdk.liveview.ledger.LiveStates.Found;
import dev.eventing.sdk.liveview.ledger.LiveStates;
import dev.eventing.sdk.projector.HandlerMethod;
import dev.eventing.sdk.projector.HandlerResources;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The handler of a view's projector: one read, the folds, and one write for a batch, in
 * the transaction of the batch. Thread-safe.
 */
public final class ViewHandler implements HandlerMethod.Invocation {

	private static final Logger logger = LoggerFactory.getLogger(ViewHandler.class);

	/** In one order, so that two transactions do not wait for each other. */
	private static final Comparator<Address> ORDER = Comparator.comparing((Address address) -> address.tenant().value())
		.thenComparing(Address::key);

	private static final String CONFLICT = "40001";

	private final ViewFold<?> fold;

	private final LiveStates states;

	private final FramePublisher publisher;

	private final ProjectorId projector;

	/** For the live generation. */
	public ViewHandler(ViewFold<?> fold, LiveStates states, FramePublisher publisher) {
		this(fold, states, publisher, ProjectorId.of(fold.name()));
	}

	private ViewHandler(ViewFold<?> fold, LiveStates states, FramePublisher publisher, ProjectorId projector) {
		this.fold = fold;
		this.states = states;
		this.publisher = publisher;
		this.projector = projector;
	}

	@Override
	public HandlerMethod.Invocation of(ProjectorId generation) {
		return new ViewHandler(this.fold, this.states, this.publisher, generation);
	}

	@Override
	public void invoke(List<Event<?>> events, HandlerResources resources) {
		Map<Address, List<Event<?>>> byKey = byKey(events);
		if (!byKey.isEmpty()) {
			apply(byKey);
		}
	}

	/** A fold reads no tables. */
	@Override
	public boolean isOfTheSdk() {
		return true;
	}

	/** Events by the keys that they change, in the order of the keys. */
	public Map<Address, List<Event<?>>> byKey(List<Event<?>> events) {
		Map<Address, List<Event<?>>> byKey = new TreeMap<>(ORDER);
		for (Event<?> event : events) {
			for (String key : this.fold.keysOf(event)) {
				byKey.computeIfAbsent(new Address(event.tenantId(), key), (each) -> new ArrayList<>()).add(event);
			}
		}
		return byKey;
	}

	/**
	 * Folds events by their keys, in the caller's transaction, and pushes what changed
	 * after its commit.
	 * @throws ConcurrencyFailureException if another transaction has changed a state
	 * meanwhile; the caller rolls back and tries again
	 */
	public List<Folded> apply(Map<Address, List<Event<?>>> byKey) {
		List<Address> addresses = List.copyOf(byKey.keySet());
		Found found = this.states.find(this.projector, addresses);
		boolean pushes = this.publisher.pushes() && found.isLive();
		List<Folded> all = new ArrayList<>(addresses.size());
		for (int i = 0; i < addresses.size(); i++) {
			Address address = addresses.get(i);
			all.add(this.fold.fold(address, found.states().get(i), byKey.getOrDefault(address, List.of()),
					pushes ? found.liveEpoch() : null));
		}
		write(found, all);
		return all;
	}

	/**
	 * Writes states, in the caller's transaction, and pushes their frames after its
	 * commit.
	 * @throws ConcurrencyFailureException if another transaction has changed a state
	 * meanwhile
	 */
	public void write(Found found, List<Folded> all) {
		if (!this.states.write(this.fold.name(), found.generation(), all.stream().map(Folded::changed).toList())) {
			String what = "A state of live view '" + this.fold.name() + "' was changed by hand meanwhile.";
			throw new ConcurrencyFailureException(what, new SQLException(what, CONFLICT));
		}
		if (found.isLive() && this.publisher.pushes()) {
			afterCommit(() -> all.forEach((each) -> publish(found, each)),
					() -> all.forEach((each) -> tell(each.changed().address(), reached(found, each))));
		}
	}

	private static LiveVersion reached(Found found, Folded folded) {
		return new LiveVersion(found.liveEpoch(), folded.changed().version());
	}

	private void publish(Found found, Folded folded) {
		Address address = folded.changed().address();
		this.publisher.publish(this.fold.name(), address.tenant(), address.key(), folded.frames(),
				reached(found, folded));
	}

	/** Tells subscribers the version of a key a moment later, without a frame. */
	public void tell(Address address, LiveVersion version) {
		this.publisher.publish(this.fold.name(), address.tenant(), address.key(), List.of(), version);
	}

	/**
	 * Runs an action after the commit of the transaction of the thread. If it is not
	 * known whether that is committed, subscribers look themselves: after the next beat
	 * if this node is the owner, otherwise after they get the versions.
	 * @param unknown publishes the versions that there may be
	 */
	public void afterCommit(Runnable action, Runnable unknown) {
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

			@Override
			public void afterCompletion(int status) {
				if (status == STATUS_COMMITTED) {
					pushed(action);
				}
				else if (status == STATUS_UNKNOWN) {
					ViewHandler.this.publisher.lost(ViewHandler.this.fold.name());
					pushed(unknown);
				}
			}

		});
	}

	/** The states are committed, whatever happens here. */
	private void pushed(Runnable action) {
		try {
			action.run();
		}
		catch (RuntimeException ex) {
			logger.warn("Frames of live view '{}' are not pushed; subscribers read their states.", this.fold.name(),
					ex);
			this.publisher.lost(this.fold.name());
		}
	}

}
