package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import dev.eventing.sdk.liveview.LiveViews;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** G15: the owner dies again and again, and subscribers end with the stored states. */
@Tag("crash")
class G15KilledOwnerIT {

	private static final int KEYS = 20;

	private static final int ROUNDS = 8;

	@AutoClose
	private final World world = World.create();

	@RegisterExtension
	final ProjectorProcess owner = ProjectorProcess.of(Balances.class);

	@Test
	void subscribersEndWithTheStoredStates() {
		Random random = new Random(15);
		try (AnnotationConfigApplicationContext other = this.world.start(WorldApplication.of())) {
			LiveViews views = other.getBean(LiveViews.class);
			List<Watcher> watchers = new ArrayList<>();
			for (int key = 0; key < KEYS; key++) {
				watchers.add(Watcher.of(views, World.ACME, "a" + key));
			}
			long version = 0;
			for (int round = 0; round < ROUNDS; round++) {
				this.owner.start(this.world);
				this.owner.awaitReady();
				long first = version;
				await().until(() -> watchers.stream().allMatch(Watcher::isLive));
				for (long next = first + 1; next <= first + 30; next++) {
					for (int key = 0; key < KEYS; key++) {
						this.world.publish(World.ACME, "a" + key, next, next);
					}
				}
				version = first + 30;
				long least = first + random.nextInt(30);
				await().until(() -> watchers.get(0).version().version() >= least);
				this.owner.kill();
				await().atMost(Duration.ofSeconds(6))
					.until(() -> watchers.stream().noneMatch(Watcher::isLive)
							&& watchers.stream().allMatch((each) -> each.isCurrent(views)));
			}
			this.owner.start(this.world);
			this.owner.awaitReady();
			long last = version;
			await()
				.until(() -> watchers.stream().allMatch((each) -> each.isLive() && each.version().version() == last));
			watchers.forEach((each) -> {
				assertThat(each.isCurrent(views)).isTrue();
				assertThat(each.balance()).isEqualTo(Balances.Balance.upTo(last));
				assertThat(each.states).extracting((state) -> state.version().version()).isSorted();
				each.close();
			});
		}
	}

}
