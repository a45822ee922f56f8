package dev.eventing.sdk.store;

import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static dev.eventing.sdk.store.StoreWorld.ACME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class EventStoreIT {

	private StoreWorld world;

	private EventStore store;

	@BeforeEach
	void createStore() {
		this.world = StoreWorld.create();
		this.store = this.world.store();
	}

	@AfterEach
	void closeStore() {
		this.world.close();
	}

	@Test
	void appendsManyEventsAndReadsThemInTheLog() {
		AppendResult result = this.world.append(ACME, "order-1", ExpectedVersion.noStream(), placed(1), placed(2));
		assertThat(result).isEqualTo(new AppendResult(2, 1, 2));
		assertThat(this.world.append(ACME, "order-1", ExpectedVersion.exact(2), placed(3)).version()).isEqualTo(3);
		assertThat(this.world.append(ACME, "order-1", ExpectedVersion.any(), placed(4)).version()).isEqualTo(4);
		assertThatExceptionOfType(VersionConflictException.class)
			.isThrownBy(() -> this.world.append(ACME, "order-1", ExpectedVersion.exact(2), placed(3)));
		List<StoredEvent> events = this.world.log().reader(0).next(100);
		assertThat(events).extracting(StoredEvent::version).containsExactly(1L, 2L, 3L, 4L);
		assertThat(events).extracting(StoredEvent::position).containsExactly(1L, 2L, 3L, 4L);
		assertThat(this.world.signal().count()).isEqualTo(3);
		assertThat(this.world.log().drawn()).isEqualTo(4);
		assertThat(this.store.version(ACME, "order-1")).isEqualTo(4);
	}

	private static NewEvent placed(int number) {
		return NewEvent.of(new Placed(number));
	}

	record Placed(int number) {
	}

}
