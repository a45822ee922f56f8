package dev.eventing.sdk.guarantees;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import dev.eventing.sdk.annotation.ProjectorEventHandler;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;

/** A projector whose handler tests can look at, hold up, and let fail. */
class Accounts {

	static final String PROJECTOR = "accounts";

	@Autowired
	JdbcTemplate jdbc;

	/** Every call of the handler, in order. */
	final List<Deposited> calls = new CopyOnWriteArrayList<>();

	private final Consumer<Deposited> afterWriting;

	Accounts() {
		this((event) -> {
		});
	}

	Accounts(Consumer<Deposited> afterWriting) {
		this.afterWriting = afterWriting;
	}

	@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = PROJECTOR, retryDelay = 50)
	public void on(Deposited event, UUID eventId, String tenantId) {
		this.calls.add(event);
		World.apply(this.jdbc, event, tenantId);
		this.afterWriting.accept(event);
	}

	List<Long> calledVersions(String account) {
		return this.calls.stream().filter((event) -> event.account().equals(account)).map(Deposited::version).toList();
	}

	/** Thrown by handlers of tests. */
	static class Refused extends RuntimeException {

		private static final long serialVersionUID = 1L;

		Refused() {
			super("refused by the test");
		}

	}

}
