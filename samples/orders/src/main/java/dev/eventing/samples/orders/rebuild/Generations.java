package dev.eventing.samples.orders.rebuild;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import dev.eventing.samples.orders.demo.OrdersProperties;
import dev.eventing.samples.orders.demo.Progress;
import dev.eventing.samples.orders.projection.OrderSummaryProjector;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.ProjectionGeneration.Status;
import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.Projectors;

import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;

/**
 * Requests what an operator could request from the command line, and waits until it is
 * done. Each request is a row; the node that runs the projector finds it within a second.
 */
@Component
@Profile("rebuild")
class Generations {

	private static final String NAME = OrderSummaryProjector.NAME;

	private static final String ACTOR = "sample";

	private static final long POLL_MILLIS = 250;

	private final Projections projections;

	private final Projectors projectors;

	private final Progress progress;

	private final Duration patience;

	Generations(Projections projections, Projectors projectors, Progress progress, OrdersProperties properties) {
		this.projections = projections;
		this.projectors = projectors;
		this.progress = progress;
		this.patience = properties.timeout();
	}

	/**
	 * Builds a generation beside the live one.
	 * @return the generation, which has met the end of the event store and follows it
	 */
	ProjectionGeneration build(String reason) throws InterruptedException {
		await(this.projections.rebuildBeside(NAME, ACTOR, reason, this.patience));
		long deadline = System.nanoTime() + this.patience.toNanos();
		BuildProgress built = new BuildProgress();
		ProjectionGeneration generation = beside();
		while (generation.status() == Status.BUILDING && System.nanoTime() < deadline) {
			this.projectors.list()
				.stream()
				.filter((each) -> each.name().equals(NAME) && each.generation().role().equals("building"))
				.findFirst()
				.ifPresent((each) -> this.progress.show(built.of(each)));
			TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
			generation = beside();
		}
		if (generation.status() != Status.READY) {
			throw new IllegalStateException("The new generation is not ready: " + generation);
		}
		return generation;
	}

	/**
	 * Makes the generation beside the live one live, so that they change places.
	 * @return what was done
	 */
	String exchange(String reason) throws InterruptedException {
		return await(this.projections.switchTo(NAME, beside().generation(), ACTOR, reason, this.patience));
	}

	/**
	 * Drops the generation beside the live one.
	 * @return what was done
	 */
	String retire(String reason) throws InterruptedException {
		return await(this.projections.retire(NAME, beside().generation(), ACTOR, reason, this.patience));
	}

	/** The one generation that is not live. */
	private ProjectionGeneration beside() {
		return this.projections.generations(NAME)
			.stream()
			.filter((each) -> each.status().isBeside())
			.findFirst()
			.orElseThrow();
	}

	/** A request ends by itself: it is done, or it fails, or it expires. */
	private String await(ProjectionRequest requested) throws InterruptedException {
		ProjectionRequest request = requested;
		while (request.state().status().isOpen()) {
			TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
			request = this.projections.lastRequest(NAME).orElseThrow();
		}
		if (request.state().status() != ProjectionRequest.Status.DONE) {
			throw new IllegalStateException("Not done: " + request);
		}
		return Optional.ofNullable(request.state().detail()).orElse("");
	}

}
