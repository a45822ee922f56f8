package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.eventing.sdk.liveview.LiveViewOptions;
import dev.eventing.sdk.liveview.LiveViewStatus;
import dev.eventing.sdk.liveview.LiveViews;
import dev.eventing.sdk.liveview.frame.FrameSubjects;
import dev.eventing.sdk.nats.Broadcasts;
import dev.eventing.sdk.nats.NatsClient;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** G15: nodes that push nothing are not heard, and subscribers read on. */
class G15NoFramesIT {

	@AutoClose
	private final World world = World.create();

	@Test
	void subscribersReadOnAndHearNoOwnerWhoPushesNothing() {
		List<String> heard = new CopyOnWriteArrayList<>();
		try (AnnotationConfigApplicationContext owner = this.world.start(WorldApplication.of(new Balances())
			.lease(Duration.ofSeconds(2))
			.customize(
					(context) -> context.registerBean(LiveViewOptions.class, () -> new LiveViewOptions(4096, false))));
				AnnotationConfigApplicationContext reader = this.world.start(WorldApplication.of());
				Broadcasts.Receiver receiver = new Broadcasts(reader.getBean(NatsClient.class)).receive(
						List.of(FrameSubjects.ofAll(Balances.NAME), FrameSubjects.owner(Balances.NAME)),
						(message) -> heard.add(message.subject()))) {
			await().until(receiver::ensure);
			LiveViews views = reader.getBean(LiveViews.class);
			try (Watcher watcher = Watcher.of(views, World.ACME, "a")) {
				this.world.publish(World.ACME, "a", 1, 3);
				await().until(() -> watcher.version().version() == 3);
				owner.getBean(LiveViews.class).apply(Balances.NAME, this.world.deposit(World.ACME, "a", 4));
				await().until(() -> watcher.version().version() == 4 && watcher.isCurrent(views));
				owner.getBean(LiveViews.class).rebuild(World.ACME, Balances.NAME, "a", List.of());
				await().until(() -> watcher.version().version() == 5 && watcher.isCurrent(views));
				assertThat(watcher.status()).isEqualTo(LiveViewStatus.STALE);
			}
			assertThat(heard).isEmpty();
		}
	}

}
