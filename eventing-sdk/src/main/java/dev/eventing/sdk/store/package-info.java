/**
 * The event store: appending to streams with an expected version, reading one stream, and
 * reading all of them in an order that is final.
 */
@NullMarked
package dev.eventing.sdk.store;

import org.jspecify.annotations.NullMarked;
