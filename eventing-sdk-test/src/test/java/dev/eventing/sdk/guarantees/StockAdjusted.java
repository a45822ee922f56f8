package dev.eventing.sdk.guarantees;

import dev.eventing.sdk.event.EventType;

/**
 * The stock of a warehouse has changed.
 *
 * @param warehouse the name of the warehouse
 * @param sku what is stored
 * @param delta how many have come, or have gone if negative
 */
@EventType("stock.adjusted")
record StockAdjusted(String warehouse, String sku, long delta) {
}
