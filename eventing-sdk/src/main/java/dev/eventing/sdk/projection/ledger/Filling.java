package dev.eventing.sdk.projection.ledger;

import java.util.List;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.projection.BuildOptions;
import org.jspecify.annotations.Nullable;

/**
 * A generation that is filled from events.
 *
 * @param projection the projector
 * @param generation its number
 * @param definition what the code that fills it handles
 * @param upTo the position up to which it is filled; null if it follows the event store
 * @param begunAgain whether other code began it
 * @param site where it is filled beside the live one; else null
 * @param lanes the position of each lane: its events up to there are settled
 * @param stream the stream it is filled from; null for the event store
 */
public record Filling(ProjectorId projection, int generation, String definition, @Nullable Long upTo,
		boolean begunAgain, @Nullable Site site, List<Long> lanes, @Nullable SourceStream stream) {

	public Filling {
		lanes = List.copyOf(lanes);
	}

	/** The generation's id, whether it is live or not. */
	public ProjectorId id() {
		return this.projection.ofGeneration(this.generation);
	}

	/** Whether the live generation is another one. */
	public boolean isBeside() {
		return this.site != null;
	}

	/** The schema of its tables if it is filled beside the live one; else null. */
	public @Nullable String schema() {
		return (this.site != null) ? this.site.schema() : null;
	}

	/** The checksum of the script that created its tables; null if none did. */
	public @Nullable String script() {
		return (this.site != null) ? this.site.script() : null;
	}

	/** The limits of its build; null if it is not {@code BUILDING}. */
	public @Nullable BuildOptions limits() {
		return (this.site != null) ? this.site.limits() : null;
	}

	/** Whether it is to show the read model as it was at a position. */
	public boolean isPast() {
		BuildOptions limits = limits();
		return limits != null && limits.until() != null;
	}

	/** The same, up to a position, and without limits. */
	public Filling until(long position) {
		Site unlimited = (this.site != null) ? new Site(this.site.schema(), this.site.script(), null) : null;
		return new Filling(this.projection, this.generation, this.definition, position, this.begunAgain, unlimited,
				this.lanes, this.stream);
	}

	Filling withLanes(List<Long> positions) {
		return new Filling(this.projection, this.generation, this.definition, this.upTo, this.begunAgain, this.site,
				positions, this.stream);
	}

	/**
	 * Where a generation beside the live one is filled.
	 *
	 * @param schema the schema of its tables
	 * @param script the checksum of the script that created them; null if they were
	 * copied
	 * @param limits the limits of its build; null if it is not {@code BUILDING}
	 */
	public record Site(String schema, @Nullable String script, @Nullable BuildOptions limits) {
	}

}
