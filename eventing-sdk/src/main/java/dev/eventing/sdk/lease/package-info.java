/**
 * Who owns what among the nodes of an application: leases by the clock of the database,
 * with an epoch that the owner's transactions check.
 */
@NullMarked
package dev.eventing.sdk.lease;

import org.jspecify.annotations.NullMarked;
