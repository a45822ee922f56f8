package dev.eventing.sdk.projector.progress;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.WrongTransactionException;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorLag;
import dev.eventing.sdk.projector.ProjectorProgress;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.source.EventSources;
import dev.eventing.sdk.projector.source.Progress;

import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Asks the servers for the progress of all projectors of an application. Thread-safe. */
public final class ProgressReader implements ProjectorProgress {

	private static final long SHORTEST_PAUSE = 2;

	private static final long LONGEST_PAUSE = 50;

	private final ProjectorRegistry registry;

	private final ProjectorServices services;

	/** By projector, of all versions of it. Whichever of them is live, it holds good. */
	private final Map<String, Progress> progress = new ConcurrentHashMap<>();

	/** Is never counted down. Used for timed waits. */
	private final CountDownLatch never = new CountDownLatch(1);

	/**
	 * Sends no request yet.
	 * @param registry the projectors of the application
	 * @param services the services that they share
	 */
	public ProgressReader(ProjectorRegistry registry, ProjectorServices services) {
		this.registry = registry;
		this.services = services;
	}

	@Override
	public ProjectorLag lag(String projector) {
		return of(projector).lag();
	}

	@Override
	public boolean awaitPosition(String projector, long position, Duration timeout) throws InterruptedException {
		if (TransactionSynchronizationManager.isActualTransactionActive()) {
			throw new WrongTransactionException("Projector '" + projector + "' is awaited at position " + position
					+ " in a transaction, and sees nothing of it before the commit. Consider awaitPosition after the commit.");
		}
		Progress.Wait wait = of(projector).waitFor(position);
		long deadline = System.nanoTime() + timeout.toNanos();
		for (long pause = SHORTEST_PAUSE; !wait.isOver(); pause = Math.min(2 * pause, LONGEST_PAUSE)) {
			long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
			if (left <= 0 || this.never.await(Math.min(pause, left), TimeUnit.MILLISECONDS)) {
				return false;
			}
		}
		return true;
	}

	private Progress of(String projector) {
		List<ProjectorEndpoint> versions = this.registry.versions(projector);
		return this.progress.computeIfAbsent(projector, (name) -> create(versions));
	}

	private Progress create(List<ProjectorEndpoint> versions) {
		return EventSources.of(versions.get(versions.size() - 1), this.services).progress(versions);
	}

}
