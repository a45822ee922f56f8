package dev.eventing.sdk.event;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class UuidV7Tests {

	@Test
	void setsVersionAndVariant() {
		for (int i = 0; i < 1000; i++) {
			UUID uuid = UuidV7.next();
			assertThat(uuid.version()).isEqualTo(7);
			assertThat(uuid.variant()).isEqualTo(2);
		}
	}

	@Test
	void startsWithTheMillisecondsOfTheClock() {
		// Ahead of every other test's time, which the order of ids allows.
		Instant ahead = Instant.now().plus(Duration.ofSeconds(2));
		UUID uuid = UuidV7.next(Clock.fixed(ahead, ZoneOffset.UTC));
		assertThat(uuid.getMostSignificantBits() >>> 16).isEqualTo(ahead.toEpochMilli());
	}

	@Test
	void ascendsWithinOneMillisecondAndWhenTheClockStepsBack() {
		Instant now = Instant.now();
		List<UUID> uuids = new ArrayList<>();
		for (int i = 0; i < 10_000; i++) {
			uuids.add(UuidV7.next(Clock.fixed(now, ZoneOffset.UTC)));
		}
		uuids.add(UuidV7.next(Clock.fixed(now.minus(Duration.ofHours(1)), ZoneOffset.UTC)));
		assertThat(uuids).isSorted().doesNotHaveDuplicates();
	}

	@Test
	void ascendsInEachThreadAndIsUniqueAcrossThem() throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(4);
		try {
			Callable<List<UUID>> draw = () -> {
				List<UUID> drawn = new ArrayList<>();
				for (int i = 0; i < 20_000; i++) {
					drawn.add(UuidV7.next());
				}
				return drawn;
			};
			Set<UUID> all = new HashSet<>();
			for (Future<List<UUID>> drawn : threads.invokeAll(List.of(draw, draw, draw, draw))) {
				assertThat(drawn.get()).isSorted();
				all.addAll(drawn.get());
			}
			assertThat(all).hasSize(80_000);
		}
		finally {
			threads.shutdownNow();
		}
	}

}
