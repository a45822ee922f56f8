package dev.eventing.sdk.guarantees;

import java.io.PrintStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.store.EventStore;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.NewEvent;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Appends events of many accounts of two tenants to the event store, in a process that is
 * killed at any moment. It goes on where the event store ends. An account of the second
 * tenant has the amounts of the first one, below zero.
 */
final class KeptDeposits {

	static final List<TenantId> TENANTS = List.of(World.ACME, TenantId.of("globex"));

	/** Of each tenant. */
	static final int ACCOUNTS = 100;

	private static final int PAUSE_MS = 5;

	private KeptDeposits() {
	}

	static String account(int number) {
		return "a" + number;
	}

	static long amount(TenantId tenant, long version) {
		return tenant.equals(World.ACME) ? version : -version;
	}

	/** The versions of all streams, by tenant and stream. */
	static Map<List<String>, Long> versions(JdbcTemplate jdbc) {
		Map<List<String>, Long> versions = new HashMap<>();
		jdbc.query("select tenant_id, stream_id, max(stream_version) from eventing.events group by 1, 2", (row) -> {
			versions.put(List.of(row.getString(1), row.getString(2)), row.getLong(3));
		});
		return versions;
	}

	/**
	 * Appends until it is killed.
	 * @param args URL of NATS, JDBC URL, root of the subjects
	 */
	public static void main(String... args) throws Exception {
		ProjectorProcess.Main.guard();
		PrintStream out = System.out;
		AnnotationConfigApplicationContext application = World.start(args[0], args[1], args[2],
				WorldApplication.of().inItsOwnProcess());
		EventStore store = application.getBean(EventStore.class);
		TransactionTemplate transaction = new TransactionTemplate(
				application.getBean(PlatformTransactionManager.class));
		Map<List<String>, Long> versions = versions(application.getBean(JdbcTemplate.class));
		CountDownLatch never = new CountDownLatch(1);
		out.println(ProjectorProcess.Main.READY);
		for (int number = 0;; number = (number + 1) % ACCOUNTS) {
			for (TenantId tenant : TENANTS) {
				String account = account(number);
				String stream = args[2] + "-" + account;
				long version = versions.merge(List.of(tenant.value(), stream), 1L, Long::sum);
				transaction
					.executeWithoutResult((status) -> store.append(tenant, stream, ExpectedVersion.exact(version - 1),
							NewEvent.of(new Deposited(account, version, amount(tenant, version)))));
			}
			if (never.await(PAUSE_MS, TimeUnit.MILLISECONDS)) {
				return;
			}
		}
	}

}
