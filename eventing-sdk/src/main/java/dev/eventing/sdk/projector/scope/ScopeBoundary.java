package dev.eventing.sdk.projector.scope;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.eventing.sdk.projection.RequestRefusedException;
import dev.eventing.sdk.projector.transaction.TransactionStep;

import org.springframework.transaction.TransactionStatus;

/**
 * Finds rows beyond a portion that its transaction has changed, and keeps that from being
 * committed. It reads each table twice, so it leaves out large ones. For one transaction
 * at a time.
 */
final class ScopeBoundary implements TransactionStep {

	/** A larger table is not read. */
	private static final long LARGEST = 256L << 20;

	private final PortionRows rows;

	private final Map<String, Long> others = new LinkedHashMap<>();

	private final List<String> unread = new ArrayList<>();

	ScopeBoundary(PortionRows rows) {
		this.rows = rows;
	}

	@Override
	public void begin(Use use) {
		this.others.clear();
		this.unread.clear();
	}

	/** Looks how it is before the rows are deleted. */
	void look() {
		for (String table : this.rows.tables()) {
			if (this.rows.bytes(table) > LARGEST) {
				this.unread.add(table);
			}
			else {
				this.others.put(table, this.rows.others(table));
			}
		}
	}

	/** The tables that are too large to be looked at. */
	List<String> unread() {
		return List.copyOf(this.unread);
	}

	@Override
	public void complete(Use use, TransactionStatus status) {
		if (use != Use.APPLY || this.others.isEmpty()) {
			return;
		}
		status.flush(); // what an EntityManager has not written yet
		this.others.forEach((table, before) -> {
			if (this.rows.othersWritten(table) > 0) {
				throw new RequestRefusedException("Its handlers write to rows of table '" + table
						+ "' that are not of this part. Consider what its @ReadModelRows declares, or a rebuild of all of"
						+ " the read model.");
			}
			if (this.rows.others(table) != before) {
				throw new RequestRefusedException("Its handlers delete rows of table '" + table
						+ "' that are not of this part. Consider what its @ReadModelRows declares, or a rebuild of all of"
						+ " the read model.");
			}
		});
	}

}
