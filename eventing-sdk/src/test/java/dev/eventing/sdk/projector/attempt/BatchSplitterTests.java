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

	/** The slow one need not be that whose statement met the end of the session. */
	@ParameterizedTest
	@ValueSource(strings = { "25P03", "25P04" })
	void cutsIntoSingleEventsWhereTheTransactionTookTooLong(String state) {
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

	private static List<Work> works(int count, Suspicion suspicion) {
		return LongStream.rangeClosed(1, count).mapToObj((sequence) -> {
			Work work = StreamEvents.unreadable(sequence, null);
			work.setSuspicion(suspicion);
			return work;
		}).toList();
	}

}
