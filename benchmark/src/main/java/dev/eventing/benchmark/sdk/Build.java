package dev.eventing.benchmark.sdk;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import dev.eventing.sdk.UnknownNameException;
import dev.eventing.sdk.projection.BuildOptions;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.ProjectionGeneration.Status;
import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.Projections;

import org.springframework.context.ApplicationContext;

/** The build of a generation beside the live one of an application that runs. */
final class Build {

	private static final Duration PATIENCE = Duration.ofMinutes(5);

	/** It does not slow down while the live read model lags. */
	private static final BuildOptions UNTHROTTLED = new BuildOptions(Integer.MAX_VALUE, null);

	private static final long LOOK_NANOS = 20_000_000;

	private static final int LOOKS_AT_FAILURES = 50;

	private final Projections projections;

	private final String projector;

	Build(ApplicationContext context, String projector) {
		this.projections = context.getBean(Projections.class);
		this.projector = projector;
	}

	/** Returns when the tables are there, and the filling begins. */
	void begin() throws TimeoutException {
		await(this::isRequested);
		await(() -> beside().isPresent());
	}

	/** A projector that was started for the first time may not be known yet. */
	private boolean isRequested() {
		try {
			this.projections.rebuildBeside(this.projector, UNTHROTTLED, "benchmark", "to measure it", PATIENCE);
			return true;
		}
		catch (UnknownNameException ex) {
			return false;
		}
	}

	/** Returns when the generation has met the end of the event store. */
	void awaitReady() throws TimeoutException {
		await(this::isReady);
	}

	boolean isReady() {
		return beside().filter((generation) -> generation.status() == Status.READY).isPresent();
	}

	/** The table that is filled. */
	String table() {
		return beside().orElseThrow().schema() + ".account";
	}

	private Optional<ProjectionGeneration> beside() {
		return this.projections.generations(this.projector)
			.stream()
			.filter((generation) -> generation.status().isBeside())
			.findFirst();
	}

	/** One query for each look; whether it has failed matters less. */
	private void await(BooleanSupplier condition) throws TimeoutException {
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		int looks = 0;
		while (!condition.getAsBoolean()) {
			looks++;
			if ((looks % LOOKS_AT_FAILURES == 0 && hasFailed()) || System.nanoTime() - deadline > 0) {
				throw new TimeoutException("The build does not get on: " + this.projections.lastRequest(this.projector)
						+ ", " + beside() + ". Consider a look at the log.");
			}
			LockSupport.parkNanos(LOOK_NANOS);
		}
	}

	private boolean hasFailed() {
		return beside().filter((generation) -> generation.status() == Status.FAILED).isPresent()
				|| this.projections.lastRequest(this.projector)
					.filter((request) -> request.state().status() == ProjectionRequest.Status.FAILED)
					.isPresent();
	}

}
