package dev.eventing.sdk.event;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Identifies what applies events to a read model: a projector, one generation of its read
 * model, and a part of its keys. No other class knows how such an id reads in columns,
 * leases, durables, names of threads and tags of meters. Immutable.
 *
 * <p>
 * Tables know the live generation by the name of the projector alone, whatever its number
 * is, as {@code orders}. Another generation has its number behind the name, as
 * {@code orders#2}, and a partition comes last, as {@code orders/3} or
 * {@code orders#2/3}. No name of a projector contains one of the two signs.
 *
 * @param base the name of the projector, by which users and operators know it
 * @param generation the number of the generation, or {@value #LIVE} for the live one
 * @param partition the number of the partition, from 1 on, or {@value #WHOLE} if one
 * owner has all keys
 * @since 0.1.0
 */
public record ProjectorId(String base, int generation, int partition) implements Comparable<ProjectorId> {

	private static final Comparator<ProjectorId> ORDER = Comparator.comparing(ProjectorId::base)
		.thenComparing(ProjectorId::generation)
		.thenComparing(ProjectorId::partition);

	/** Stands for the generation that readers see. */
	public static final int LIVE = 0;

	/** Stands for all partitions. */
	public static final int WHOLE = 0;

	/** In a column it is in front of the number of a generation that is not live. */
	private static final char GENERATION_SIGN = '#';

	private static final char PARTITION_SIGN = '/';

	private static final String LEASE = "projector/";

	/** Numbers as they are printed, so that two columns never mean the same. */
	private static final Pattern COLUMN = Pattern
		.compile("(?<base>[^#/]+)(#(?<generation>[1-9]\\d{0,8}))?(/(?<partition>[1-9]\\d{0,8}))?");

	/**
	 * Checks the id.
	 * @throws IllegalArgumentException if the name is empty or contains {@code #} or
	 * {@code /}, or a number is negative
	 */
	public ProjectorId {
		if (!isName(base)) {
			throw new IllegalArgumentException(
					"'" + base + "' is no name of a projector: it is empty, or contains '#' or '/'.");
		}
		if (generation < LIVE || partition < WHOLE) {
			throw new IllegalArgumentException("Generation " + generation + " and partition " + partition
					+ " of projector '" + base + "' must not be negative.");
		}
	}

	/**
	 * The live generation of a projector, with all its keys.
	 * @throws IllegalArgumentException if {@link #isName} is false
	 */
	public static ProjectorId of(String base) {
		return new ProjectorId(base, LIVE, WHOLE);
	}

	/** Whether {@link #of} would accept this name. */
	public static boolean isName(String base) {
		return !base.isEmpty() && base.indexOf(GENERATION_SIGN) < 0 && base.indexOf(PARTITION_SIGN) < 0;
	}

	/**
	 * Reads what {@link #inColumn} has printed.
	 * @throws IllegalArgumentException if it cannot have printed that
	 */
	public static ProjectorId parse(String column) {
		return find(column)
			.orElseThrow(() -> new IllegalArgumentException("'" + column + "' is no projector's name in a column."));
	}

	/** Reads as {@link #parse} does; empty if that would throw. */
	public static Optional<ProjectorId> find(String column) {
		Matcher matcher = COLUMN.matcher(column);
		return matcher.matches() ? Optional.of(new ProjectorId(matcher.group("base"),
				number(matcher.group("generation")), number(matcher.group("partition")))) : Optional.empty();
	}

	/** Reads the name of a {@link #lease}; empty if it is that of another kind. */
	public static Optional<ProjectorId> ofLease(String lease) {
		return lease.startsWith(LEASE) ? find(lease.substring(LEASE.length())) : Optional.empty();
	}

	/**
	 * Whether a text that is to be found in a column is about a generation that is not
	 * live. It need not be an id.
	 */
	public static boolean isOfGeneration(String column) {
		return column.indexOf(GENERATION_SIGN) >= 0;
	}

	/** A condition of SQL: what this column contains is live. */
	public static String liveIn(String column) {
		return column + " not like '%" + GENERATION_SIGN + "%'";
	}

	private static int number(@Nullable String digits) {
		return (digits != null) ? Integer.parseInt(digits) : 0;
	}

	/**
	 * A generation under its own name, which it has while it is not live. A live one that
	 * is being filled in place has some rows under it, too.
	 * @param number its number, from 1 on
	 */
	public ProjectorId ofGeneration(int number) {
		if (number < 1) {
			throw new IllegalArgumentException("A generation has a number from 1 on, not " + number + ".");
		}
		return new ProjectorId(this.base, number, WHOLE);
	}

	/** The live generation of the same projector. */
	public ProjectorId live() {
		return of(this.base);
	}

	/**
	 * Whether it goes by the name of its projector, and not by the number of a
	 * generation.
	 */
	public boolean isLive() {
		return this.generation == LIVE;
	}

	/**
	 * How tables know it, in columns such as {@code projector_name}. {@link #parse} reads
	 * it.
	 */
	public String inColumn() {
		return this.base + (isLive() ? "" : GENERATION_SIGN + Integer.toString(this.generation))
				+ ((this.partition != WHOLE) ? PARTITION_SIGN + Integer.toString(this.partition) : "");
	}

	/** The lease whose holder runs it. */
	public String lease() {
		return LEASE + inColumn();
	}

	/** How the leases of all generations of the projector begin that are not live. */
	public String generationLeases() {
		return LEASE + this.base + GENERATION_SIGN;
	}

	/**
	 * The lease whose holder redrives its dead letters, if nodes compete for its events.
	 */
	public String redriveLease() {
		return "redrive/" + inColumn();
	}

	/** The lease whose holder prunes the events that it has applied. */
	public String pruningLease() {
		return "pruning/" + inColumn();
	}

	/**
	 * The durable consumer that it reads, unless the application names one. Generations
	 * share it: only the live one reads it.
	 */
	public String durable() {
		return this.base + "-consumer" + ((this.partition != WHOLE) ? "-" + this.partition : "");
	}

	/**
	 * The name of one of its threads.
	 * @param task what the thread does, in a word
	 */
	public String thread(String task) {
		return inColumn() + "-" + task;
	}

	/**
	 * The tag of its meters. It has neither generation nor partition: those have tags of
	 * their own.
	 */
	public String tag() {
		return this.base;
	}

	/** Who acts, in an audit, if it does so by itself. */
	public String actor() {
		return "projector:" + inColumn();
	}

	/** By name, and by number, so that the live generation comes first. */
	@Override
	public int compareTo(ProjectorId other) {
		return ORDER.compare(this, other);
	}

	/** As {@link #inColumn}, for messages. */
	@Override
	public String toString() {
		return inColumn();
	}

}
