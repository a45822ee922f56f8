package dev.eventing.sdk.projector.scope;

import java.time.Duration;
import java.util.function.BooleanSupplier;

import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.ScopedRebuild;
import dev.eventing.sdk.projector.transaction.FencedTransactions;
import dev.eventing.sdk.projector.transaction.ProjectorLease;
import org.jspecify.annotations.Nullable;

/** A request that is being served. For the thread of the owner. */
final class Serving {

	private static final Duration NEWS = Duration.ofSeconds(1);

	private final ProjectorLease lease;

	private final FencedTransactions notes;

	private final ProjectionRequest request;

	private final ScopedRebuild part;

	private final BooleanSupplier stops;

	/** By {@link System#nanoTime}. */
	private long nextNews = System.nanoTime();

	private @Nullable Long erasure;

	Serving(ProjectorLease lease, FencedTransactions notes, ProjectionRequest request, ScopedRebuild part,
			BooleanSupplier stops) {
		this.lease = lease;
		this.notes = notes;
		this.request = request;
		this.part = part;
		this.stops = stops;
	}

	ProjectorLease lease() {
		return this.lease;
	}

	/** For the SDK's own records. */
	FencedTransactions notes() {
		return this.notes;
	}

	ProjectionRequest request() {
		return this.request;
	}

	ScopedRebuild part() {
		return this.part;
	}

	/** Whether this node stops the projector. */
	BooleanSupplier stops() {
		return this.stops;
	}

	/** Events are read from now on. */
	void begun(long lastErasure) {
		this.erasure = lastErasure;
	}

	/** The number of the last erasure before events were read; null if none were. */
	@Nullable Long erasure() {
		return this.erasure;
	}

	/** Whether operators are to learn how far it is now: once a second. */
	boolean tells() {
		boolean due = System.nanoTime() - this.nextNews >= 0;
		if (due) {
			this.nextNews = System.nanoTime() + NEWS.toNanos();
		}
		return due;
	}

}
