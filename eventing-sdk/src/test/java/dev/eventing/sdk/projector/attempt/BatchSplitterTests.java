package dev.eventing.sdk.projector.attempt;

import java.sql.SQLException;
import java.util.List;
import java.util.stream.LongStream;

import dev.eventing.sdk.projector.delivery.StreamEvents;
import dev.eventing.sdk.projector.delivery.Suspicion;
import dev.eventing.sdk.projector.delivery.TenantEvents;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.transaction.ThrownByHandler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** How a batch is cut before it runs. */
class BatchSplitterTests {

	@ParameterizedTest
	@CsvSource({ "NONE, 100", "POSSIBLE, 200", "UNMARKED, 32", "MARKED, 32", "LIKELY, 1", "COUNTED, 1" })
	void takesAsManyAsMayRunTogether(Suspicion suspicion, int together) {
		BatchSplitter parts = new BatchSplitter(works(200, suspicion));
		assertThat(parts.next(100)).hasSize(together);
	}

	@Test
	void losesNothingWhereEventsThatRunAloneCameTogetherAgain() {
		List<Work> works = works(3, Suspicion.LIKELY);
		BatchSplitter parts = new BatchSplitter(works);
		assertThat(parts.next(1000)).containsExactly(works.get(0));
		assertThat(parts.next(1000)).containsExactly(works.get(1));
		assertThat(parts.next(1000)).containsExactly(works.get(2));
		assertThat(parts.isEmpty()).isTrue();
	}

	@Test
	void cutsAroundTheEventWhoseHandlerThrew() {
		List<Work> works = works(5, Suspicion.NONE);
		BatchSplitter parts = new BatchSplitter(List.of());
		parts.putFirst(works, ThrownByHandler.at(works.get(3).routed()));
		assertThat(parts.next(1000)).isEqualTo(works.subList(0, 3));
		assertThat(parts.next(1000)).isEqualTo(works.subList(3, 4));
		assertThat(parts.next(1000)).isEqualTo(works.subList(4, 5));
		assertThat(parts.isEmpty()).isTrue();
	}

	@Test
	void cutsInHalvesWhereNoSingleEventFailed() {
		List<Work> works = works(5, Suspicion.NONE);
		for (Throwable failure : List.of(ThrownByHandler.at(null), new IllegalStateException("of the commit"))) {
			BatchSplitter parts = new BatchSplitter(List.of());
			parts.putFirst(works, failure);
			assertThat(parts.next(1000)).isEqualTo(works.subList(0, 2));
			assertThat(parts.next(1000)).isEqualTo(works.subList(2, 5));
			assertThat(parts.isEmpty()).isTrue();
		}
	}

	/**
	 * The slow one need not be that whose statement met the end of the session, and those
	 * that are not at fault succeed at once.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "25P03", "25P04", "08006", "57P01", "55P03", "40P01" })
	void cutsIntoSingleEventsWhereTheFailureMayNotBeThatOfOne(String state) {
		List<Work> works = works(3, Suspicion.NONE);
		SQLException ended = new SQLException("terminating connection", state);
		for (Throwable failure : List.of(ThrownByHandler.at(works.get(2).routed(), ended),
				ThrownByHandler.at(null, ended), new IllegalStateException("of the commit", ended))) {
			BatchSplitter parts = new BatchSplitter(List.of());
			parts.putFirst(works, failure);
			for (Work work : works) {
				assertThat(parts.next(1000)).containsExactly(work);
			}
			assertThat(parts.isEmpty()).isTrue();
		}
	}

	@Test
	void putsEventsOfOneTenantTogetherIfAPartHasOneTenant() {
		List<Work> works = List.of(TenantEvents.work(1, "acme", "acme/a"), TenantEvents.work(2, "globex", "globex/a"),
				TenantEvents.work(3, "acme", "acme/a"), TenantEvents.work(4, "globex", null),
				TenantEvents.work(5, "acme", null));
		BatchSplitter parts = new BatchSplitter(works, true);
		assertThat(parts.next(2)).containsExactly(works.get(0), works.get(2));
		assertThat(parts.next(1000)).containsExactly(works.get(4));
		assertThat(parts.next(1000)).containsExactly(works.get(1), works.get(3));
		assertThat(parts.isEmpty()).isTrue();
	}

	@Test
	void keepsTheOrderOfAKeyThatTenantsShare() {
		List<Work> works = List.of(TenantEvents.work(1, "acme", "lane"), TenantEvents.work(2, "acme", "lane"),
				TenantEvents.work(3, "globex", "lane"), TenantEvents.work(4, "acme", "lane"),
				TenantEvents.work(5, "acme", "other"));
		BatchSplitter parts = new BatchSplitter(works, true);
		assertThat(parts.next(1000)).containsExactly(works.get(0), works.get(1), works.get(4));
		assertThat(parts.next(1000)).containsExactly(works.get(2));
		assertThat(parts.next(1000)).containsExactly(works.get(3));
		assertThat(parts.isEmpty()).isTrue();
	}

	@Test
	void cutsNoTenantsApartUnlessThatIsAskedFor() {
		List<Work> works = List.of(TenantEvents.work(1, "acme", null), TenantEvents.work(2, "globex", null));
		assertThat(new BatchSplitter(works).next(1000)).isSameAs(works);
	}

	@Test
	void givesABatchInOrderInPartsOfTheSizeThatIsAskedFor() {
		List<Work> works = works(5, Suspicion.NONE);
		BatchSplitter parts = new BatchSplitter(works);
		assertThat(parts.next(2)).isEqualTo(works.subList(0, 2));
		assertThat(parts.next(1)).isEqualTo(works.subList(2, 3));
		assertThat(parts.isEmpty()).isFalse();
		assertThat(parts.next(1000)).isEqualTo(works.subList(3, 5));
		assertThat(parts.isEmpty()).isTrue();
	}

	@Test
	void isEmptyWithoutEvents() {
		BatchSplitter parts = new BatchSplitter(List.of());
		assertThat(parts.isEmpty()).isTrue();
		parts.putFirst(List.of());
		assertThat(parts.isEmpty()).isTrue();
	}

	@Test
	void putsEventsBeforeTheRest() {
		List<Work> works = works(4, Suspicion.NONE);
		BatchSplitter parts = new BatchSplitter(works.subList(2, 4));
		parts.putFirst(works.subList(0, 2));
		assertThat(parts.next(1)).isEqualTo(works.subList(0, 1));
		assertThat(parts.next(1000)).as("no part has events of two").isEqualTo(works.subList(1, 2));
		assertThat(parts.next(1000)).isEqualTo(works.subList(2, 4));
		assertThat(parts.isEmpty()).isTrue();
	}

	@Test
	void putsAPartThatFailedBeforeTheRest() {
		List<Work> works = works(4, Suspicion.NONE);
		BatchSplitter parts = new BatchSplitter(works);
		List<Work> failed = parts.next(3);
		parts.putFirst(failed, ThrownByHandler.at(works.get(0).routed()));
		assertThat(parts.next(1000)).as("none succeeded before the first").isEqualTo(works.subList(0, 1));
		assertThat(parts.next(1000)).isEqualTo(works.subList(1, 3));
		assertThat(parts.next(1000)).isEqualTo(works.subList(3, 4));
		assertThat(parts.isEmpty()).isTrue();
	}

	@Test
	void putsNothingBehindTheLastOfAPartWhoseHandlerThrew() {
		List<Work> works = works(3, Suspicion.NONE);
		BatchSplitter parts = new BatchSplitter(List.of());
		parts.putFirst(works, ThrownByHandler.at(works.get(2).routed()));
		assertThat(parts.next(1000)).isEqualTo(works.subList(0, 2));
		assertThat(parts.next(1000)).isEqualTo(works.subList(2, 3));
		assertThat(parts.isEmpty()).isTrue();
	}

	@Test
	void keepsAPartOfOneEventThatFailedAsAWhole() {
		List<Work> works = works(1, Suspicion.NONE);
		BatchSplitter parts = new BatchSplitter(List.of());
		parts.putFirst(works, new IllegalStateException("of the commit"));
		assertThat(parts.next(1000)).isEqualTo(works);
		assertThat(parts.isEmpty()).isTrue();
	}

	/** Such as one of a part before this one. */
	@Test
	void cutsInHalvesWhereTheEventWhoseHandlerThrewIsNotInThePart() {
		List<Work> works = works(4, Suspicion.NONE);
		BatchSplitter parts = new BatchSplitter(List.of());
		parts.putFirst(works, ThrownByHandler.at(works(1, Suspicion.NONE).get(0).routed()));
		assertThat(parts.next(1000)).isEqualTo(works.subList(0, 2));
		assertThat(parts.next(1000)).isEqualTo(works.subList(2, 4));
		assertThat(parts.isEmpty()).isTrue();
	}

	@Test
	void looksUpSuspectsOfAllTenantsAtOnce() {
		List<Work> works = List.of(TenantEvents.work(1, "acme", null), TenantEvents.work(2, "globex", null));
		works.forEach((work) -> work.setSuspicion(Suspicion.POSSIBLE));
		assertThat(new BatchSplitter(works, true).next(1)).isEqualTo(works);
	}

	@Test
	void putsOtherSuspectsOfOneTenantTogether() {
		List<Work> works = List.of(TenantEvents.work(1, "acme", null), TenantEvents.work(2, "globex", null),
				TenantEvents.work(3, "acme", null));
		works.forEach((work) -> work.setSuspicion(Suspicion.MARKED));
		BatchSplitter parts = new BatchSplitter(works, true);
		assertThat(parts.next(1000)).containsExactly(works.get(0), works.get(2));
		assertThat(parts.next(1000)).containsExactly(works.get(1));
		assertThat(parts.isEmpty()).isTrue();
	}

	private static List<Work> works(int count, Suspicion suspicion) {
		return LongStream.rangeClosed(1, count).mapToObj((sequence) -> {
			Work work = StreamEvents.unreadable(sequence, null);
			work.setSuspicion(suspicion);
			return work;
		}).toList();
	}

}
