package dev.eventing.sdk.projector;

import java.util.List;

import dev.eventing.sdk.worker.ApplicationPhase;

import org.springframework.context.SmartLifecycle;

/**
 * All projectors of an application. Starts them after the other beans, and stops them
 * before these, but not before the web server; and lets an operator start, stop and pause
 * each by name. Thread-safe.
 */
public interface ProjectorRegistry extends SmartLifecycle {

	/**
	 * That of all the SDK runs: later than handlers' beans, earlier than a web server.
	 */
	int PHASE = ApplicationPhase.PHASE;

	/**
	 * How many connections of the DataSource a node needs that runs all projectors: one
	 * for each lane, which holds it as long as its handlers run; one per projector for
	 * what it does beside them, which is to read, to save its place or to redrive; and
	 * two for all that is shared and short, such as to take over. None where there is no
	 * projector.
	 */
	int connections();

	/**
	 * Starts all projectors.
	 * @throws ProjectorStartException with every mistake in the configuration of any of
	 * them; what is only away for the moment is waited for in the background
	 */
	@Override
	void start();

	/** Stops all projectors, each within the time to drain. */
	@Override
	void stop();

	/**
	 * Starts one projector; nothing happens if it runs.
	 * @throws ProjectorStartException if a person must change something first, or if it
	 * was stopped while it started
	 * @throws UnknownProjectorException if there is none of that name
	 */
	void start(String name);

	/**
	 * Stops one projector and waits until it stopped; nothing happens if it does not run.
	 * @throws UnknownProjectorException if there is none of that name
	 */
	void stop(String name);

	/**
	 * Lets one projector take no further events; what it holds is done. Survives a stop
	 * and start of the projector, not of the application.
	 * @throws UnknownProjectorException if there is none of that name
	 */
	void pause(String name);

	/**
	 * Ends a pause.
	 * @throws UnknownProjectorException if there is none of that name
	 */
	void resume(String name);

	/** The projectors, in the order they were registered. */
	List<ProjectorEndpoint> endpoints();

	/**
	 * The projector of a name.
	 * @throws UnknownProjectorException if there is none
	 */
	ProjectorEndpoint endpoint(String name);

	/** What each projector is doing now, in the order they were registered. */
	List<ProjectorStatus> status();

	/**
	 * What one projector is doing now.
	 * @throws UnknownProjectorException if there is none of that name
	 */
	ProjectorStatus status(String name);

}
