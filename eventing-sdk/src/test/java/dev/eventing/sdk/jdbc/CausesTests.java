package dev.eventing.sdk.jdbc;

import java.sql.SQLException;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CausesTests {

	@Test
	void areAllEvenIfTheyAreEqual() {
		SQLException last = new SQLException("last");
		Equal inner = new Equal(last);
		Equal outer = new Equal(inner);
		assertThat(Causes.of(outer)).satisfiesExactly((first) -> assertThat(first).isSameAs(outer),
				(second) -> assertThat(second).isSameAs(inner), (third) -> assertThat(third).isSameAs(last));
	}

	@Test
	void endWhereTheyBeginAgain() {
		RuntimeException first = new RuntimeException("first");
		RuntimeException second = new RuntimeException("second", first);
		first.initCause(second);
		assertThat(Causes.of(second)).containsExactly(second, first);
	}

	@Test
	void endAfterAHundred() {
		assertThat(Causes.of(new Endless())).hasSize(100);
	}

	@Test
	void endAtAnErrorThatFailsToTellItsCause() {
		RuntimeException failing = new RuntimeException("failing") {
			@Override
			public synchronized Throwable getCause() {
				throw new IllegalStateException();
			}
		};
		RuntimeException outer = new RuntimeException(failing);
		assertThat(Causes.of(outer)).containsExactly(outer, failing);
	}

	/** Equal to all others, as errors with value equality may be. */
	@SuppressWarnings("serial")
	private static final class Equal extends RuntimeException {

		Equal(Throwable cause) {
			super(cause);
		}

		@Override
		public boolean equals(Object other) {
			return other instanceof Equal;
		}

		@Override
		public int hashCode() {
			return 1;
		}

	}

	/** Each of its causes has another one. */
	@SuppressWarnings("serial")
	private static final class Endless extends RuntimeException {

		@Override
		public synchronized Throwable getCause() {
			return new Endless();
		}

	}

}
