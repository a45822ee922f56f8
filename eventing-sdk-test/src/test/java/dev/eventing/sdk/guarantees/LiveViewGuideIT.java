package dev.eventing.sdk.guarantees;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.guarantees.WarehouseView.Warehouse;
import dev.eventing.sdk.liveview.LiveState;
import dev.eventing.sdk.liveview.LiveViewSubscription;
import dev.eventing.sdk.liveview.LiveViews;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.Source;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What docs/live-views.md shows first. */
class LiveViewGuideIT {

	@AutoClose
	private final World world = World.create();

	private final List<Warehouse> shown = new CopyOnWriteArrayList<>();

	@Test
	void readsAndFollowsTheViewOfTheGuide() throws Exception {
		ProjectorSettings stored = ProjectorSettings.builder().source(Source.EVENT_STORE).build();
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(new WarehouseView()).with(stored))) {
			LiveViews liveViews = application.getBean(LiveViews.class);
			TenantId tenant = World.ACME;
			Optional<LiveState> state = liveViews.read(tenant, "warehouse", "berlin");
			LiveViewSubscription following = liveViews.subscribe(tenant, "warehouse", "berlin",
					(now) -> show(now.as(Warehouse.class)));
			try (following) {
				assertThat(state).isEmpty();
				liveViews.apply("warehouse", Event.builder(tenant, new StockAdjusted("berlin", "tea", 3)).build());
				await().untilAsserted(() -> assertThat(this.shown).endsWith(new Warehouse(Map.of("tea", 3L))));
			}
		}
	}

	private void show(@Nullable Warehouse warehouse) {
		if (warehouse != null) {
			this.shown.add(warehouse);
		}
	}

}
