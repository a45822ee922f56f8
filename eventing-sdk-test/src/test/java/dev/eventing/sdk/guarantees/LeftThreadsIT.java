package dev.eventing.sdk.guarantees;

import java.util.List;

import dev.eventing.sdk.worker.StallOptions;
import dev.eventing.sdk.worker.StallWatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A test that strikes threads leaves those of other tests alone. A thread that two tests
 * strike within a minute fails for the second time in a row, which the log does not tell.
 */
@ExtendWith(OutputCaptureExtension.class)
class LeftThreadsIT extends StruckThreads {

	private static final String WATCH = "eventing-watch";

	private static final StallWatch LEFT = new StallWatch(List::of, StallOptions.defaults());

	@BeforeAll
	static void leave() {
		LEFT.start();
	}

	@AfterAll
	static void stop() {
		LEFT.stop();
	}

	@Test
	void areNotStruck(CapturedOutput output) {
		try (AnnotationConfigApplicationContext application = start(new Accounts())) {
			assertThat(application.isActive()).isTrue();
			List<Thread> own = threads(WATCH).toList();
			assertThat(own).hasSize(2);
			assertThat(Thread.getAllStackTraces().keySet()).filteredOn((each) -> each.getName().equals(WATCH))
				.hasSizeGreaterThan(2);
			own.forEach(Thread::interrupt);
			await().until(() -> output.getOut().split("'" + WATCH + "' ended unexpectedly.", -1).length == 3);
		}
	}

}
