/**
 * How long a statement may take: connections whose statements end by themselves when the
 * server does not answer, and one that no pool hands to others; and how to name why the
 * database could not do something.
 */
@NullMarked
package dev.eventing.sdk.jdbc;

import org.jspecify.annotations.NullMarked;
