/**
 * The event store: appending to streams with an expected version, reading one stream, and
 * reading all streams in a final order. Listeners of appends run in the transaction of
 * the append.
 *
 * @since 0.1.0
 */
@NullMarked
package dev.eventing.sdk.store;

import org.jspecify.annotations.NullMarked;
