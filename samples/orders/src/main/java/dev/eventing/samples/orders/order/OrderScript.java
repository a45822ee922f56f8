package dev.eventing.samples.orders.order;

import java.util.List;

import dev.eventing.sdk.event.TenantId;

/**
 * All that is wanted of one order.
 *
 * @param tenantId whose order it is
 * @param orderId its number
 * @param steps the commands, step by step; all of one step come at the same time
 */
public record OrderScript(TenantId tenantId, String orderId, List<List<OrderCommand>> steps) {
}
