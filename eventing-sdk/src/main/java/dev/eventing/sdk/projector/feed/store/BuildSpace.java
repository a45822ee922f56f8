package dev.eventing.sdk.projector.feed.store;

import java.util.Collection;

import dev.eventing.sdk.projection.ledger.FreeSpace;
import dev.eventing.sdk.projection.tables.TableSizes;
import dev.eventing.sdk.projector.transaction.GenerationFailedException;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The disk space of a build's tables, and the space left for the rest of them.
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

	/** The shortage of disk space, as text; null if there is none, or it is unknown. */
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
