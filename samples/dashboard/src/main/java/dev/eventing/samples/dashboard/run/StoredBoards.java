package dev.eventing.samples.dashboard.run;

import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

import dev.eventing.samples.dashboard.house.House;
import dev.eventing.samples.dashboard.view.Occupancy;
import dev.eventing.samples.dashboard.view.OccupancyView;
import dev.eventing.sdk.liveview.LiveViews;
import dev.eventing.sdk.store.EventStore;

import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;

/** What PostgreSQL has: the states of the view, and the events they are made of. */
@Component
@Profile("web")
class StoredBoards {

	private final LiveViews views;

	private final EventStore store;

	StoredBoards(LiveViews views, EventStore store) {
		this.views = views;
		this.store = store;
	}

	/** The numbers of each resource of a house that has a state, by its key. */
	Map<String, Numbers> numbers(House house) {
		Map<String, Numbers> numbers = new TreeMap<>();
		for (String key : house.keys()) {
			this.views.read(house.tenant(), OccupancyView.NAME, key)
				.map((state) -> state.as(Occupancy.class))
				.ifPresent((state) -> numbers.put(key, Numbers.of(state)));
		}
		return numbers;
	}

	/** How many events the states of a house are made of. */
	long counted(House house) {
		return house.keys()
			.stream()
			.flatMap((key) -> this.views.read(house.tenant(), OccupancyView.NAME, key).stream())
			.mapToLong((state) -> Objects.requireNonNull(state.as(Occupancy.class)).totals().events())
			.sum();
	}

	/** How many events of a house were appended: the length of the books of all desks. */
	long appended(House house) {
		return house.keys().stream().mapToLong((key) -> this.store.version(house.tenant(), key)).sum();
	}

}
