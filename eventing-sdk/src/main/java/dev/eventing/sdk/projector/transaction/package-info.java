/**
 * The transaction of a handler: the lease is checked, the event is claimed, handlers run,
 * and their writes are carried out.
 */
@NullMarked
package dev.eventing.sdk.projector.transaction;

import org.jspecify.annotations.NullMarked;
