package dev.eventing.sdk.projector.attempt;

import java.util.List;
import java.util.stream.LongStream;

import dev.eventing.sdk.projector.delivery.StreamEvents;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.transaction.ThrownByHandler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The size of parts after failures and successes. */
class PaceTests {

	private final Throwable ofTheCommit = new IllegalStateException("of the commit");

	private final Pace pace = new Pace(100);

	@Test
	void beginsWithTheMost() {
		assertThat(this.pace.size()).isEqualTo(100);
	}

	@ParameterizedTest
	@CsvSource({ "0, 1", "1, 1", "7, 7", "99, 99" })
	void isTheNumberOfEventsBeforeTheOneThatFailedButAtLeastOne(int culprit, int size) {
		List<Work> part = works(100);
		this.pace.failed(part, ThrownByHandler.at(part.get(culprit).routed()));
		assertThat(this.pace.size()).isEqualTo(size);
	}

	@ParameterizedTest
	@CsvSource({ "100, 50", "5, 2", "2, 1", "1, 1" })
	void isHalfAPartThatFailedAsAWhole(int events, int size) {
		this.pace.failed(works(events), this.ofTheCommit);
		assertThat(this.pace.size()).isEqualTo(size);
	}

	@Test
	void isHalfAPartWhoseHandlerThrewForAnEventOfNoneOrOfAnotherPart() {
		this.pace.failed(works(40), ThrownByHandler.at(null));
		assertThat(this.pace.size()).isEqualTo(20);
		this.pace.failed(works(20), ThrownByHandler.at(works(1).get(0).routed()));
		assertThat(this.pace.size()).isEqualTo(10);
	}

	@Test
	void doublesWithEachSuccessUpToTheMost() {
		this.pace.failed(works(30), this.ofTheCommit);
		for (int size : new int[] { 15, 30, 60 }) {
			assertThat(this.pace.size()).isEqualTo(size);
			this.pace.succeeded(size);
		}
		assertThat(this.pace.size()).isEqualTo(100);
	}

	@Test
	void becomesNoSmallerByASuccessOfFewEvents() {
		this.pace.succeeded(1);
		assertThat(this.pace.size()).isEqualTo(100);
		this.pace.failed(works(30), this.ofTheCommit);
		this.pace.succeeded(7);
		assertThat(this.pace.size()).isEqualTo(15);
		this.pace.succeeded(8);
		assertThat(this.pace.size()).isEqualTo(16);
	}

	private static List<Work> works(int count) {
		return LongStream.rangeClosed(1, count)
			.mapToObj((sequence) -> StreamEvents.unreadable(sequence, null))
			.toList();
	}

}
