package dev.eventing.sdk.guarantees;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.eventing.sdk.store.AppendGuard;
import dev.eventing.sdk.store.AppendListener;
import dev.eventing.sdk.store.AppendedEvents;
import dev.eventing.sdk.store.EventStore;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.NewEvent;
import dev.eventing.sdk.store.PendingAppend;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/** Beans that are listeners take part in the appends of the store that is a bean. */
class AppendListenerBeansIT {

	@AutoClose
	private final World world = World.create();

	private final List<String> calls = new CopyOnWriteArrayList<>();

	@Test
	void takePartInTheAppendsOfTheApplicationInTheirOrder() {
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of()
			.customize((context) -> context.registerBean("a", Noting.class, () -> new Noting("a", 2, this.calls)))
			.customize((context) -> context.registerBean("b", Noting.class, () -> new Noting("b", 1, this.calls))))) {
			EventStore store = application.getBean(EventStore.class);
			new TransactionTemplate(application.getBean(PlatformTransactionManager.class))
				.executeWithoutResult((status) -> store.append(World.ACME, this.world.storedStream("x"),
						ExpectedVersion.noStream(), NewEvent.of(new Deposited("x", 1, 1))));
		}
		assertThat(this.calls).containsExactly("b 1 guarded", "a 1 guarded");
	}

	/** Notes the positions and the result of its guard. */
	private record Noting(String name, int order, List<String> calls) implements AppendListener {

		@Override
		public AppendGuard beforeAppend(PendingAppend append) {
			return new AppendGuard("'guarded'");
		}

		@Override
		public void appended(AppendedEvents append, @Nullable String guard) {
			this.calls.add(this.name + " " + append.result().lastPosition() + " " + guard);
		}

	}

}
