package dev.eventing.sdk.store;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.schema.EventingSchema;

import org.springframework.jdbc.core.JdbcTemplate;

/** Reads one stream page by page. Thread-safe. */
final class StreamPages {

	private static final int PAGE = 500;

	private static final long PAGE_BYTES = 8 << 20;

	private final JdbcTemplate jdbc;

	private final StoredRows rows;

	private final String page;

	StreamPages(JdbcTemplate jdbc, EventingSchema schema, StoredRows rows) {
		this.jdbc = jdbc;
		this.rows = rows;
		// By the unique index events_stream, which has this order. The running sum ends
		// the page before texts are made.
		this.page = """
				select %s from (
				  select rows.*, sum(text_bytes) over (order by stream_version rows unbounded preceding) as bytes_so_far
				    from (select %s from %s
				           where tenant_id = ? and stream_id = ? and stream_version between ? and ?
				           order by stream_version limit ?) rows) summed
				 where bytes_so_far - text_bytes < ? order by stream_version
				""".formatted(StoredRows.COLUMNS, StoredRows.STORED, schema.table("events"));
	}

	Stream<StoredEvent> read(TenantId tenantId, String streamId, long from, long to) {
		Cursor cursor = new Cursor(tenantId, streamId, from, to);
		return Pages.stream((remaining) -> cursor.next(), Long.MAX_VALUE);
	}

	/** Where in a stream the next page begins. */
	private final class Cursor {

		private final TenantId tenantId;

		private final String streamId;

		private final long to;

		private long next;

		private boolean ended;

		Cursor(TenantId tenantId, String streamId, long from, long to) {
			this.tenantId = tenantId;
			this.streamId = streamId;
			this.next = from;
			this.to = to;
		}

		List<StoredEvent> next() {
			if (this.ended || this.next > this.to) {
				return List.of();
			}
			List<StoredEvent> events = new ArrayList<>();
			long[] bytes = { 0 };
			StreamPages.this.jdbc.query(StreamPages.this.page, (row) -> {
				events.add(StreamPages.this.rows.read(row));
				bytes[0] += StoredRows.bytes(row);
			}, this.tenantId.value(), this.streamId, this.next, this.to, PAGE, PAGE_BYTES);
			// A short page is the last one, so no further query is needed.
			this.ended = events.size() < PAGE && bytes[0] < PAGE_BYTES;
			this.next = this.ended ? this.next : events.get(events.size() - 1).version() + 1;
			return events;
		}

	}

}
