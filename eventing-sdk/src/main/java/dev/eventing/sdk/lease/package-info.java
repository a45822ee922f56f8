/**
 * Leases: which node of an application owns which work. Leases expire by the database's
 * clock, and have an epoch that the owner's transactions check.
 *
 * @since 0.1.0
 */
@NullMarked
package dev.eventing.sdk.lease;

import org.jspecify.annotations.NullMarked;
