package dev.eventing.sdk.guarantees;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.guarantees.Balances.Balance;
import dev.eventing.sdk.guarantees.BrowserClient.Stream;
import dev.eventing.sdk.liveview.frame.MergePatch;
import dev.eventing.sdk.test.server.TestServers;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * From an append to a browser, over all that lies between: projector, frames, NATS, the
 * subscription of the node, and HTTP.
 */
class G15BrowserConvergesIT {

	private static final TenantId ACME = TenantId.of("acme");

	private static final TenantId GLOBEX = TenantId.of("globex");

	/** As many as there are threads for listeners. */
	private static final int LISTENERS = 64;

	@Test
	void joinsChangesOfTheOwnTenantAndResumesOnAnotherNode() {
		String database = TestServers.postgres().createDatabase();
		try (BrowserNode one = BrowserNode.start(database, TestServers.nats().url());
				BrowserNode two = BrowserNode.start(database, TestServers.nats().url())) {
			one.append(ACME, 1, 3);
			one.append(GLOBEX, 1, 1);
			String id;
			JsonNode state;
			try (Stream stream = one.client().open(Balances.NAME, "a")) {
				stream.awaitId("1.3");
				two.append(ACME, 4, 40);
				two.append(GLOBEX, 2, 9);
				stream.awaitId("1.40");
				state = fold(null, stream);
				assertThat(state).isEqualTo(one.stored(ACME).tree());
				assertThat(stream.events.stream().filter((event) -> event.data().contains("\"patch\""))).isNotEmpty();
				id = stream.lastId();
			}
			one.append(ACME, 41, 45);
			try (Stream stream = two.client().resume(id, Balances.NAME, "a")) {
				stream.awaitId("1.45");
				one.append(ACME, 46, 50);
				stream.awaitId("1.50");
				assertThat(fold(state, stream)).isEqualTo(two.stored(ACME).tree());
				assertThat(two.stored(ACME).as(Balance.class)).isEqualTo(Balance.upTo(50));
				await().until(() -> stream.events.stream().anyMatch((event) -> event.data().contains("\"live\"")));
			}
			String body = two.client().get("state" + BrowserClient.query(Balances.NAME, "a")).body();
			assertThat(JsonMapper.shared().readTree(body).path("state")).isEqualTo(one.stored(ACME).tree());
		}
	}

	@Test
	void listenersThatDoNotReturnDelayNoStream() {
		CountDownLatch released = new CountDownLatch(1);
		AtomicInteger held = new AtomicInteger();
		try (BrowserNode node = BrowserNode.start(TestServers.postgres().createDatabase(), TestServers.nats().url())) {
			for (int each = 0; each < LISTENERS; each++) {
				node.views().subscribe(ACME, Balances.NAME, "held", (state) -> {
					held.incrementAndGet();
					await().forever().until(() -> released.getCount() == 0);
				});
			}
			await().until(() -> held.get() == LISTENERS);
			try (Stream stream = node.client().open(Balances.NAME, "a")) {
				stream.awaitId("1.0");
				node.append(ACME, 1, 3);
				stream.awaitId("1.3");
			}
			released.countDown();
		}
		finally {
			released.countDown();
		}
	}

	/** Folds as a client in another language does. */
	private static @Nullable JsonNode fold(@Nullable JsonNode before, Stream stream) {
		JsonNode state = before;
		String version = null;
		for (BrowserClient.Event event : stream.events) {
			if (event.data().isEmpty() || event.name().equals("live-status")) {
				continue;
			}
			JsonNode frame = event.json();
			if (frame.has("state")) {
				state = frame.get("state");
			}
			else {
				if (version != null) {
					assertThat(frame.path("from").asString()).isEqualTo(version);
				}
				state = MergePatch.apply(state, frame.get("patch"));
			}
			version = frame.path("version").asString();
		}
		return state;
	}

}
