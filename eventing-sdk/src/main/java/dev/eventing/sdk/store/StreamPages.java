package dev.eventing.sdk.store;

import java.util.List;
import java.util.stream.Stream;

import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.schema.EventingSchema;

import org.springframework.jdbc.core.JdbcTemplate;

/** Reads one stream by pages. Thread-safe. */
final class StreamPages {

	private static final int PAGE = 500;

	private final JdbcTemplate jdbc;

	private final StoredRows rows;

	private final String page;

	StreamPages(JdbcTemplate jdbc, EventingSchema schema, StoredRows rows) {
		this.jdbc = jdbc;
		this.rows = rows;
		// By the unique index events_stream, already in this order.
		this.page = """
				select %s from %s
				 where tenant_id = ? and stream_id = ? and stream_version between ? and ?
				 order by stream_version limit ?
				""".formatted(StoredRows.COLUMNS, schema.table("events"));
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
			List<StoredEvent> events = StreamPages.this.jdbc.query(StreamPages.this.page,
					(row, number) -> StreamPages.this.rows.read(row), this.tenantId.value(), this.streamId, this.next,
					this.to, PAGE);
			// A short page is the last: the next one need not be asked for.
			this.ended = events.size() < PAGE;
			this.next = this.ended ? this.next : events.get(PAGE - 1).version() + 1;
			return events;
		}

	}

}
