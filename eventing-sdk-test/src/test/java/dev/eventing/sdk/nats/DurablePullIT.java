package dev.eventing.sdk.nats;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import dev.eventing.sdk.event.EventHeaders;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.event.RawEvent;
import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.test.timing.Patience;
import dev.eventing.sdk.test.timing.Stopwatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Requests that are bounded in bytes, and the server's answers. */
class DurablePullIT {

	private static final Duration WAIT = Patience.LONG;

	private static final Duration MOMENT = Duration.ofMillis(300);

	private static final int MANY = 50;

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private final NatsClient client = this.fixture.nats();

	private Streams streams;

	private DurablePull pull;

	private String stream;

	private String subject;

	@BeforeEach
	void createDurable() {
		String name = "pull" + System.nanoTime();
		this.stream = name;
		this.subject = name + ".x";
		this.streams = new Streams(this.client,
				List.of(new StreamSpec(name, List.of(name + ".>"), 1, Duration.ofMillis(100))));
		this.streams.declareAll();
		this.pull = this.fixture.opened(new DurablePull(this.client, durable("durable"), () -> true));
	}

	@Test
	void countsBytesAsTheServerDoes() throws InterruptedException {
		publish(10, 1000, 77, 10, 1000, 77);
		int exactly = next(3, DurablePull.ANY_BYTES).size() + next(0, 0).size();
		next(0, 0);
		assertThat(next(10, exactly).raw().payload()).hasSize(10);
		assertThat(this.pull.isRequestOpen()).isTrue();
		assertThat(next(0, 0).raw().payload()).hasSize(1000);
		assertThat(this.pull.isRequestOpen()).as("the server has ended it, since no byte is left").isFalse();
		assertThat(this.pull.next(0, 0, MOMENT)).isNull();
		Stopwatch.time(() -> assertThat(next(10, exactly).raw().payload()).hasSize(77))
			.assertWithin(Duration.ofSeconds(1));
	}

	@Test
	void saysHowManyBytesWereTooFewForTheNextEvent() throws InterruptedException {
		publish(100, 5000);
		Delivery small = next(10, 2000);
		assertThat(this.pull.tooFewBytes()).isZero();
		awaitEndOfRequest();
		assertThat(this.pull.tooFewBytes()).isEqualTo(2000 - small.size());
		assertThat(this.pull.next(10, 4999, MOMENT)).isNull();
		awaitEndOfRequest();
		assertThat(this.pull.tooFewBytes()).isEqualTo(4999);
		Delivery large = next(1, DurablePull.ANY_BYTES);
		assertThat(large.raw().payload()).hasSize(5000);
		assertThat(this.pull.tooFewBytes()).isZero();
	}

	@Test
	void keepsTheConnectionWhenManyPullsEndAtOnce() throws Exception {
		List<DurablePull> pulls = new ArrayList<>();
		for (int number = 0; number < MANY; number++) {
			pulls.add(new DurablePull(this.client, durable("many-" + number), () -> true));
		}
		publish(1, 2, 3);
		for (DurablePull each : pulls) {
			assertThat(each.next(10, WAIT)).isNotNull();
		}
		long connection = this.client.generation();
		ExecutorService threads = Executors.newFixedThreadPool(MANY);
		try {
			for (Future<?> end : threads.invokeAll(pulls.stream().map(DurablePullIT::end).toList())) {
				end.get();
			}
		}
		finally {
			threads.shutdown();
		}
		assertThat(next(1, DurablePull.ANY_BYTES).raw().payload()).hasSize(1);
		assertThat(this.client.generation()).as("connections and reconnections").isEqualTo(connection);
	}

	/** The server says that it ended it, without a delivery. */
	private void awaitEndOfRequest() {
		await().until(() -> {
			assertThat(this.pull.next(0, 0, MOMENT)).isNull();
			return !this.pull.isRequestOpen();
		});
	}

	private static Callable<Void> end(DurablePull pull) {
		return () -> {
			pull.close();
			return null;
		};
	}

	private DurableSpec durable(String durable) {
		DurableSpec spec = new DurableSpec(ProjectorId.of("test"), this.stream, durable, Set.of(this.subject),
				Duration.ofSeconds(30), 1000, true);
		new Durables(this.client).reconcile(spec, null);
		return spec;
	}

	private Delivery next(int room, long bytes) throws InterruptedException {
		Delivery delivery = this.pull.next(room, bytes, WAIT);
		return Objects.requireNonNull(delivery, "nothing comes");
	}

	private void publish(int... payloads) {
		RawEventPublisher publisher = new RawEventPublisher(this.client, this.streams);
		for (int payload : payloads) {
			publisher
				.publishAsync(new RawEvent(this.subject,
						EventHeaders.of(Map.of("A", List.of("b"), "Long-Name", List.of("value"))), new byte[payload]))
				.join();
		}
	}

}
