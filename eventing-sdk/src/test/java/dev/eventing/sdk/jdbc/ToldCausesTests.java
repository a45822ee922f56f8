package dev.eventing.sdk.jdbc;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;

import org.junit.jupiter.api.Test;

import org.springframework.jdbc.CannotGetJdbcConnectionException;

import static org.assertj.core.api.Assertions.assertThat;

class ToldCausesTests {

	private final ToldCauses told = new ToldCauses();

	@Test
	void tellsEachStateOfAWaitOnce() {
		assertThat(this.told.isNew(new SQLException("Connection refused", "08001"))).isTrue();
		assertThat(this.told.isNew(new IllegalStateException(new SQLException("starting up", "57P03")))).isTrue();
		assertThat(this.told.isNew(new SQLException("Connection to another refused", "08001"))).isFalse();
		this.told.clear();
		assertThat(this.told.isNew(new SQLException("Connection refused", "08001"))).isTrue();
	}

	/** What comes next shows only when this is corrected. */
	@Test
	void tellsEachMessageOfWhatLasts() {
		assertThat(this.told.isNew(new SQLException("permission denied for table a", "42501"))).isTrue();
		assertThat(this.told.isNew(new SQLException("permission denied for table b", "42501"))).isTrue();
		assertThat(this.told.isNew(new SQLException("permission denied for table a", "42501"))).isFalse();
	}

	/** The message of a pool has a time and numbers, which differ each time. */
	@Test
	void tellsAPoolThatIsEmptyOnce() {
		assertThat(this.told.isNew(empty("timed out after 1001ms (total=8)"))).isTrue();
		assertThat(this.told.isNew(empty("timed out after 1003ms (total=7)"))).isFalse();
	}

	@Test
	void endsWhereCausesNeverRepeat() {
		long told = 0;
		for (int i = 0; i < 1000; i++) {
			told += this.told.isNew(new SQLException("relation " + i + " does not exist", "42P01")) ? 1 : 0;
		}
		assertThat(told).isEqualTo(20);
	}

	private static Exception empty(String message) {
		return new CannotGetJdbcConnectionException("no connection", new SQLTransientConnectionException(message));
	}

}
