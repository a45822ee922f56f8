package dev.eventing.sdk.projector.feed.store;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class LogPagesTests {

	/** Each size is a statement that PostgreSQL plans. */
	@ParameterizedTest
	@CsvSource({ "4000, false, 500", "499, false, 499", "499, true, 499", "999, true, 500", "1000, true, 1000",
			"1999, true, 1000", "2000, true, 2000", "4000, true, 2000" })
	void areOfFewSizes(int room, boolean large, int size) {
		assertThat(LogPages.size(room, large)).isEqualTo(size);
	}

}
