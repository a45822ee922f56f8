package dev.eventing.sdk.event;

import java.util.stream.Stream;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ProjectorIdTests {

	private static final ProjectorId LIVE = ProjectorId.of("order-summary");

	private static final ProjectorId SECOND = LIVE.ofGeneration(2);

	private static final ProjectorId PART = new ProjectorId("order-summary", 12, 3);

	@ParameterizedTest
	@CsvSource({ "orders,0,0,orders", "orders,1,0,orders#1", "orders,2,0,orders#2", "orders,0,3,orders/3",
			"orders,12,16,orders#12/16", "Orders-on_x,999999999,0,Orders-on_x#999999999" })
	void printsAColumnAndReadsItBack(String base, int generation, int partition, String column) {
		ProjectorId id = new ProjectorId(base, generation, partition);
		assertThat(id.inColumn()).isEqualTo(column);
		assertThat(id).hasToString(column);
		assertThat(ProjectorId.parse(column)).isEqualTo(id);
		assertThat(ProjectorId.find(column)).contains(id);
		assertThat(ProjectorId.ofLease(id.lease())).contains(id);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "#2", "/3", "orders#", "orders#0", "orders#02", "orders#-1", "orders#x", "orders#2#3",
			"orders/", "orders/0", "orders/01", "orders/3#2", "orders/3/4", "orders#2/", "orders#1234567890",
			"orders#\u0662" })
	void refusesAColumnThatItNeverPrints(String column) {
		assertThat(ProjectorId.find(column)).isEmpty();
		assertThatIllegalArgumentException().isThrownBy(() -> ProjectorId.parse(column))
			.withMessage("'" + column + "' is no projector's name in a column.");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "orders#2", "#", "orders/3", "/" })
	void refusesANameThatCouldBeMistakenForAnotherId(String base) {
		assertThat(ProjectorId.isName(base)).isFalse();
		assertThatIllegalArgumentException().isThrownBy(() -> ProjectorId.of(base))
			.withMessageContaining("'" + base + "' is no name of a projector");
	}

	@Test
	void refusesNegativeNumbers() {
		assertThatIllegalArgumentException().isThrownBy(() -> new ProjectorId("orders", -1, 0));
		assertThatIllegalArgumentException().isThrownBy(() -> new ProjectorId("orders", 0, -1));
	}

	@Test
	void refusesANumberOfAGenerationThatNoneHas() {
		assertThatIllegalArgumentException().isThrownBy(() -> LIVE.ofGeneration(0));
	}

	@Test
	void findsTheLiveGenerationFromEachOther() {
		assertThat(SECOND.isLive()).isFalse();
		assertThat(SECOND.live()).isEqualTo(LIVE);
		assertThat(SECOND.ofGeneration(3)).isEqualTo(LIVE.ofGeneration(3));
		assertThat(LIVE.isLive()).isTrue();
	}

	@Test
	void sortsByNameThenByNumber() {
		assertThat(Stream.of(PART, SECOND, ProjectorId.of("orders"), LIVE).sorted()).containsExactly(LIVE, SECOND, PART,
				ProjectorId.of("orders"));
	}

	@Nested
	class IsKnownAs {

		@Test
		void aLease() {
			assertThat(LIVE.lease()).isEqualTo("projector/order-summary");
			assertThat(SECOND.lease()).isEqualTo("projector/order-summary#2");
			assertThat(PART.lease()).isEqualTo("projector/order-summary#12/3");
			assertThat(SECOND.lease()).startsWith(LIVE.generationLeases());
			assertThat(LIVE.lease()).doesNotStartWith(LIVE.generationLeases());
		}

		@Test
		void noLeaseOfAnotherKind() {
			assertThat(ProjectorId.ofLease("redrive/order-summary")).isEmpty();
			assertThat(ProjectorId.ofLease("relay/projector/order-summary")).isEmpty();
			assertThat(ProjectorId.ofLease("projector/order-summary#x")).isEmpty();
		}

		@Test
		void aLeaseForItsDeadLetters() {
			assertThat(LIVE.redriveLease()).isEqualTo("redrive/order-summary");
			assertThat(SECOND.redriveLease()).isEqualTo("redrive/order-summary#2");
		}

		@Test
		void aLeaseForPruning() {
			assertThat(LIVE.pruningLease()).isEqualTo("pruning/order-summary");
		}

		@Test
		void aDurableWhichGenerationsShareButPartitionsDoNot() {
			assertThat(LIVE.durable()).isEqualTo("order-summary-consumer");
			assertThat(SECOND.durable()).isEqualTo("order-summary-consumer");
			assertThat(PART.durable()).isEqualTo("order-summary-consumer-3");
		}

		@Test
		void aThread() {
			assertThat(LIVE.thread("owner")).isEqualTo("order-summary-owner");
			assertThat(SECOND.thread("lane-0")).isEqualTo("order-summary#2-lane-0");
		}

		@Test
		void theTagOfItsProjector() {
			assertThat(LIVE.tag()).isEqualTo("order-summary");
			assertThat(PART.tag()).isEqualTo("order-summary");
		}

		@Test
		void anActorInAnAudit() {
			assertThat(LIVE.actor()).isEqualTo("projector:order-summary");
			assertThat(SECOND.actor()).isEqualTo("projector:order-summary#2");
		}

	}

}
