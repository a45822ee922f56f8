package dev.eventing.sdk.projector;

import java.util.List;

import dev.eventing.sdk.worker.ApplicationPhase;

import org.springframework.context.SmartLifecycle;

/**
 * All projectors of an application. It starts them after the other beans and stops them
 * before these, but after the web server. Operators can start, stop and pause each
 * projector by name. Thread-safe.
 */
public interface ProjectorRegistry extends SmartLifecycle {

	/**
	 * The phase of all that the SDK runs. It is later than that of the beans that
	 * handlers use, and earlier than that of Spring Boot's web server. So projectors run
	 * before the web server accepts requests. They still run while it completes its last
	 * requests, because these may wait for projectors.
	 */
	int PHASE = ApplicationPhase.PHASE;

	/**
	 * Returns how many connections of the DataSource a node needs if it runs all
	 * projectors:
	 * <ul>
	 * <li>one for each lane, which holds it while its handlers run</li>
	 * <li>one for each projector, to read, to save its position and to redrive</li>
	 * <li>two for short tasks of all projectors, such as takeovers</li>
	 * </ul>
	 * Zero if there is no projector.
	 */
	int connections();

	/**
	 * Starts all projectors. If a server is unreachable, a projector waits for it in the
	 * background.
	 * @throws ProjectorStartException with all configuration errors of all projectors
	 */
	@Override
	void start();

	/** Stops all projectors, each within the drain timeout. */
	@Override
	void stop();

	/**
	 * Starts one projector. Does nothing if it is running.
	 * @throws ProjectorStartException if the configuration has errors, or if the
	 * projector was stopped while it started
	 * @throws UnknownProjectorException if there is no projector of that name
	 */
	void start(String name);

	/**
	 * Stops one projector and waits until it has stopped. Does nothing if it is not
	 * running.
	 * @throws UnknownProjectorException if there is no projector of that name
	 */
	void stop(String name);

	/**
	 * Pauses one projector: it takes no further events, and completes those it holds. The
	 * pause survives a stop and start of the projector, but not of the application.
	 * @throws UnknownProjectorException if there is no projector of that name
	 */
	void pause(String name);

	/**
	 * Ends a pause.
	 * @throws UnknownProjectorException if there is no projector of that name
	 */
	void resume(String name);

	/** Returns the projectors in the order of their registration. */
	List<ProjectorEndpoint> endpoints();

	/**
	 * Returns the projector of a name.
	 * @throws UnknownProjectorException if there is no projector of that name
	 */
	ProjectorEndpoint endpoint(String name);

	/**
	 * Returns the current status of each projector, in the order of their registration.
	 */
	List<ProjectorStatus> status();

	/**
	 * Returns the current status of one projector.
	 * @throws UnknownProjectorException if there is no projector of that name
	 */
	ProjectorStatus status(String name);

}
