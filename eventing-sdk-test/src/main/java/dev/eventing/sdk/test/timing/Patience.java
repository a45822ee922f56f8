package dev.eventing.sdk.test.timing;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * How long a test waits for something good. It waits long, because waiting costs nothing
 * when the good thing comes early, and a slow machine is no defect of what is tested.
 * <p>
 * As a listener it makes this the default of Awaitility for all tests of a module that
 * names this class in
 * {@code META-INF/services/org.junit.platform.launcher.LauncherSessionListener} of its
 * test resources. The listener needs Awaitility and the JUnit Platform launcher on the
 * class path.
 *
 * @since 0.1.0
 */
public final class Patience implements LauncherSessionListener {

	/** What a test waits at most: 60 seconds. */
	public static final Duration LONG = Duration.ofSeconds(60);

	/**
	 * What a test waits at most for another process, such as a JVM that starts an
	 * application or a command that does its work and ends: 3 minutes.
	 */
	public static final Duration PROCESS = Duration.ofMinutes(3);

	/** Created by the JUnit Platform. */
	public Patience() {
	}

	@Override
	public void launcherSessionOpened(LauncherSession session) {
		Awaitility.setDefaultTimeout(LONG);
	}

}
