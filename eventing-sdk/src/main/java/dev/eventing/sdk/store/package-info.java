/**
 * The event store: appending to streams with an expected version, reading one stream, and
 * reading all streams in a final order.
 */
@NullMarked
package dev.eventing.sdk.store;

import org.jspecify.annotations.NullMarked;
