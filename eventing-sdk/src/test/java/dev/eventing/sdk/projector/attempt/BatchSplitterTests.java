package dev.eventing.sdk.projector.attempt;

import java.util.List;
import java.util.stream.LongStream;

import dev.eventing.sdk.event.EventHeaders;
import dev.eventing.sdk.event.RawEvent;
import dev.eventing.sdk.event.ReadResult;
import dev.eventing.sdk.event.ReadResult.Reason;
import dev.eventing.sdk.projector.delivery.NowhereOrigin;
import dev.eventing.sdk.projector.delivery.Suspicion;
import dev.eventing.sdk.projector.delivery.Work;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

	private static List<Work> works(int count, Suspicion suspicion) {
		return LongStream.rangeClosed(1, count).mapToObj((sequence) -> {
			RawEvent raw = new RawEvent("x", EventHeaders.empty(), new byte[0]);
			Work work = new Work(new NowhereOrigin(sequence, raw),
					new ReadResult.Unreadable(Reason.NOT_JSON, "of the test", null, null, null, null), null, null);
			work.setSuspicion(suspicion);
			return work;
		}).toList();
	}

}
