package dev.eventing.sdk.projector.feed.store;

import java.util.Collection;

import dev.eventing.sdk.projection.ledger.FreeSpace;
import dev.eventing.sdk.projection.tables.TableSizes;
import dev.eventing.sdk.projector.transaction.GenerationFailedException;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * What the tables of a build take on the disk, and what is left for the rest of them.
 * Thread-safe.
 */
final class BuildSpace {

	/**
	 * The part of the live tables that must be free even if the new ones take as much: a
	 * build writes to the log of the database, too.
	 */
	private static final int LEAST_PART = 10;

	private final TableSizes sizes;

	private final FreeSpace free;

	private final Collection<String> live;

	private final String schema;

	private final @Nullable Long most;

	/**
	 * Sends no query yet.
	 * @param live the live tables
	 * @param generation the schema of the new ones
	 * @param most the most bytes that these may take; null for no limit
	 */
	BuildSpace(JdbcTemplate jdbc, EventingSchema schema, Collection<String> live, String generation,
			@Nullable Long most) {
		this.sizes = new TableSizes(jdbc);
		this.free = new FreeSpace(jdbc, schema);
		this.live = live;
		this.schema = generation;
		this.most = most;
	}

	/**
	 * Looks what the tables take.
	 * @throws GenerationFailedException if that is too much
	 */
	void require() {
		if (this.most != null) {
			long bytes = this.sizes.ofSchema(this.schema);
			if (bytes > this.most) {
				throw new GenerationFailedException(
						"Its tables take " + TableSizes.readable(bytes) + ". At most " + TableSizes.readable(this.most)
								+ " are allowed to them. Retire it, and consider a larger --max-size.");
			}
		}
	}

	/** Looks whether the disk has too little, as text; null if not, or nobody knows. */
	@Nullable String shortage() {
		Long bytes = this.free.bytes();
		if (bytes == null) {
			return null;
		}
		long all = this.sizes.of(this.live).values().stream().mapToLong(Long::longValue).sum();
		long rest = Math.max(all - this.sizes.ofSchema(this.schema), all / LEAST_PART);
		return (bytes < rest) ? "the disk has " + TableSizes.readable(bytes) + " free, and the build needs about "
				+ TableSizes.readable(rest) + " more" : null;
	}

}
