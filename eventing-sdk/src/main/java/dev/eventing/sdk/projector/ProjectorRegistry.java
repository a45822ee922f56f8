package dev.eventing.sdk.projector;

import java.util.List;

import dev.eventing.sdk.UnknownNameException;
import dev.eventing.sdk.worker.ApplicationPhase;
import org.jspecify.annotations.Nullable;

/**
 * All projectors of an application. It starts them after the other beans and stops them
 * before these, but after the web server. Operators can start, stop and pause each
 * projector by name. Thread-safe.
 */
public interface ProjectorRegistry {

	/**
	 * The phase of all that the SDK runs. It is later than that of the beans that
	 * handlers use, and earlier than that of Spring Boot's web server. So projectors run
	 * before the web server accepts requests. They still run while it completes its last
	 * requests, because these may wait for projectors.
	 */
	int PHASE = ApplicationPhase.PARTS.value();

	/**
	 * Returns how many connections of the DataSource a node needs if it runs all
	 * projectors:
	 * <ul>
	 * <li>one for each lane, which holds it while its handlers run</li>
	 * <li>one for each projector, to read, to save its position and to redrive</li>
	 * <li>two for short tasks of all projectors, such as takeovers</li>
	 * </ul>
	 * Zero if there is no projector. A generation beside the live one is not counted; see
	 * {@link #connectionsBeside()}.
	 */
	int connections();

	/**
	 * Returns how many connections a generation beside a live one needs in addition, on
	 * the node that feeds it, from its build until it is retired. It is as many as its
	 * projector needs, of the projector that needs most. Zero if no projector can have
	 * such a generation.
	 */
	int connectionsBeside();

	/**
	 * Starts all projectors. If a server is unreachable, a projector waits for it in the
	 * background.
	 * @throws ProjectorStartException with all configuration errors of all projectors
	 */
	void start();

	/** Stops all projectors, each within the drain timeout. */
	void stop();

	/** Whether projectors were started, and not stopped since. */
	boolean isRunning();

	/**
	 * Starts one projector. Does nothing if it is running.
	 * @throws ProjectorStartException if the configuration has errors, or if the
	 * projector was stopped while it started
	 * @throws UnknownNameException if there is no projector of that name
	 */
	void start(String name);

	/**
	 * Stops one projector and waits until it has stopped. Does nothing if it is not
	 * running. The next {@link #start()} of all starts it again, also the one of
	 * {@code ConfigurableApplicationContext.restart()}; a {@link #pause(String) pause}
	 * stays.
	 * @throws UnknownNameException if there is no projector of that name
	 */
	void stop(String name);

	/**
	 * Pauses one projector; see {@link #pause(String, String, String)}. The actor is this
	 * node.
	 * @throws UnknownNameException if there is no projector of that name
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	void pause(String name);

	/**
	 * Pauses one projector: it takes no further events, and completes those it holds.
	 * Redrives of its dead letters run on. The pause is stored in a separate transaction.
	 * This node follows at once, others within a second. The pause survives stops,
	 * restarts and takeovers, until a {@code resume}. If it is paused already, only actor
	 * and reason change.
	 * @param actor the user who requests it, for status and audit
	 * @param reason the reason, for status and audit
	 * @throws UnknownNameException if there is no projector of that name
	 * @throws org.springframework.dao.DataAccessException if the database does not
	 * answer; whether the pause is stored is unknown then
	 */
	void pause(String name, String actor, String reason);

	/**
	 * Ends a pause; see {@link #resume(String, String, String)}. The actor is this node.
	 * @throws UnknownNameException if there is no projector of that name
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	void resume(String name);

	/**
	 * Ends a pause, whoever requested it. This node follows at once, others within a
	 * second. Does nothing if the projector is not paused.
	 * @param actor the user who requests it, for the audit
	 * @param reason the reason, for the audit, or null
	 * @throws UnknownNameException if there is no projector of that name
	 * @throws org.springframework.dao.DataAccessException if the database does not
	 * answer; whether the pause has ended is unknown then
	 */
	void resume(String name, String actor, @Nullable String reason);

	/**
	 * Returns the projectors in the order of their registration, each in its newest
	 * version.
	 */
	List<ProjectorEndpoint> endpoints();

	/**
	 * Returns the projector of a name, in its newest version.
	 * @throws UnknownNameException if there is no projector of that name
	 */
	ProjectorEndpoint endpoint(String name);

	/**
	 * Returns the versions of a projector that this node has, the newest last. Which of
	 * them feeds the live generation is in the database.
	 * @throws UnknownNameException if there is no projector of that name
	 */
	List<ProjectorEndpoint> versions(String name);

	/**
	 * Returns the current status of each projector, in the order of their registration.
	 */
	List<ProjectorStatus> status();

	/**
	 * Returns the current status of one projector.
	 * @throws UnknownNameException if there is no projector of that name
	 */
	ProjectorStatus status(String name);

	/**
	 * Returns the generations that stand beside live ones of this node's projectors, as
	 * of the last look at the database, which is made every second. Sends no request.
	 */
	List<GenerationStatus> generations();

	/**
	 * Returns why this node cannot feed, create or drop generations beside live ones now,
	 * with the names of the projectors; null if it can. It is tried again every second.
	 * Sends no request.
	 */
	@Nullable String generationsFailure();

	/**
	 * Returns why this node does not report its projectors to other nodes and operators
	 * now; null if it does, and before its start. Projectors run regardless. Sends no
	 * request.
	 */
	@Nullable String reportingFailure();

}
