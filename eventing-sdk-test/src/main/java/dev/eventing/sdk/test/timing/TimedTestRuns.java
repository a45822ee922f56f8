package dev.eventing.sdk.test.timing;

import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.opentest4j.TestAbortedException;

/**
 * The runs of a {@link TimedTest}. JUnit asks for the next one when the one before has
 * ended.
 */
final class TimedTestRuns implements TestTemplateInvocationContextProvider {

	private static final int MOST = 3;

	/** The runs of the test that this thread runs. */
	private static final ThreadLocal<@Nullable Runs> CURRENT = new ThreadLocal<>();

	/** Ends this run without a verdict if the test may be run again. */
	static void runAgain(Elapsed elapsed, Duration bound) {
		Runs runs = CURRENT.get();
		if (runs != null && runs.begun < MOST) {
			runs.again = true;
			throw new TestAbortedException(
					"The machine stood still for longer than the bound of %s ms: took %s. The test is run again."
						.formatted(bound.toMillis(), elapsed));
		}
	}

	@Override
	public boolean supportsTestTemplate(ExtensionContext context) {
		return true;
	}

	@Override
	public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
		Runs runs = new Runs();
		return StreamSupport.stream(Spliterators.spliteratorUnknownSize(runs, 0), false);
	}

	private static final class Runs implements Iterator<TestTemplateInvocationContext>, TestTemplateInvocationContext {

		private int begun;

		private boolean again = true;

		@Override
		public boolean hasNext() {
			return this.again && this.begun < MOST;
		}

		@Override
		public TestTemplateInvocationContext next() {
			if (!hasNext()) {
				throw new NoSuchElementException();
			}
			this.begun++;
			this.again = false;
			return this;
		}

		@Override
		public String getDisplayName(int invocation) {
			return "run " + invocation;
		}

		@Override
		public List<Extension> getAdditionalExtensions() {
			return List.of((BeforeEachCallback) (context) -> CURRENT.set(this),
					(AfterEachCallback) (context) -> CURRENT.remove());
		}

	}

}
