package dev.eventing.sdk.test.timing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test of a duration, in place of {@code @Test}. If the machine stood still for longer
 * than the bound that {@link Elapsed#assertWithin(java.time.Duration)} was given, the run
 * shows nothing: it ends as aborted, with a sentence, and the test is run again, with its
 * own set-up, at most twice. The last run is judged whatever the machine did.
 *
 * @since 0.1.0
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(TimedTestRuns.class)
public @interface TimedTest {

}
