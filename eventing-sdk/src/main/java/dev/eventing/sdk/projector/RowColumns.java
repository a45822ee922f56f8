package dev.eventing.sdk.projector;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Which columns of a table of a read model hold what its rows are made of.
 *
 * @param tenant the column with the tenant whose events alone make a row, or null
 * @param stream the column with the id of the stream whose events alone make a row, or
 * null
 * @param streamPrefix how the ids of these streams begin, where the column has the rest
 * only; else empty
 * @param bucket the column with the beginning of the time bucket whose events alone make
 * a row, or null
 * @param bucketLength how long each bucket lasts, counted from 1970 in UTC; null without
 * a bucket
 */
public record RowColumns(@Nullable String tenant, @Nullable String stream, String streamPrefix, @Nullable String bucket,
		@Nullable Duration bucketLength) {

	/** Nothing is declared. */
	public static final RowColumns NONE = new RowColumns(null, null, "", null, null);

}
