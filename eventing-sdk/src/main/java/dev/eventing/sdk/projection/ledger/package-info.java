/**
 * What nodes report and operators decide about projectors, in PostgreSQL.
 */
@NullMarked
package dev.eventing.sdk.projection.ledger;

import org.jspecify.annotations.NullMarked;
