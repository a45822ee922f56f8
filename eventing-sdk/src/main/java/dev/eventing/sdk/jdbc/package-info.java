/**
 * Time limits for statements: connections whose statements end when the server does not
 * answer, and a connection outside the pool. Also describes failures of the database for
 * logs, and holds the statements on rows that are replaced instead of updated.
 *
 * @since 0.1.0
 */
@NullMarked
package dev.eventing.sdk.jdbc;

import org.jspecify.annotations.NullMarked;
