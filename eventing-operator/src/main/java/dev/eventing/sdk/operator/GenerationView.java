package dev.eventing.sdk.operator;

import java.time.Instant;

import dev.eventing.sdk.projection.ProjectionGeneration;
import org.jspecify.annotations.Nullable;

/** A generation of a read model; see {@link ProjectionGeneration}. */
public record GenerationView(int generation, int version, String status, @Nullable Long filledTo, Instant begunAt,
		@Nullable Instant liveAt, @Nullable Instant retiredAt, @Nullable String schema, @Nullable String failure,
		@Nullable String note) {

	/** The view of those who may see all. */
	public static GenerationView of(ProjectionGeneration generation) {
		return new GenerationView(generation.generation(), generation.version(), generation.status().name(),
				generation.filledTo(), generation.times().begunAt(), generation.times().liveAt(),
				generation.times().retiredAt(), generation.schema(), generation.failure(), generation.note());
	}

	/** The view within one tenant: a failure may quote data of others. */
	GenerationView withinATenant() {
		return new GenerationView(this.generation, this.version, this.status, null, this.begunAt, this.liveAt,
				this.retiredAt, this.schema, null, null);
	}

}
