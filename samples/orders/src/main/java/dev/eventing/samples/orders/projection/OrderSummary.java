package dev.eventing.samples.orders.projection;

import java.math.BigDecimal;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A row of {@code order_summary}. It has no {@code createdAt} if it was written before
 * the table had that column.
 */
public record OrderSummary(String tenantId, String orderId, String customerId, String status, String currency,
		BigDecimal totalAmount, int itemCount, @Nullable Instant submittedAt, @Nullable Instant paidAt,
		@Nullable Instant shippedAt, Instant updatedAt, @Nullable Instant createdAt) {

	/** The table's primary key. */
	public record Key(String tenantId, String orderId) {
	}

	public Key key() {
		return new Key(this.tenantId, this.orderId);
	}

}
