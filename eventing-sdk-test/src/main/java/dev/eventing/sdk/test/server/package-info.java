/**
 * Real NATS and PostgreSQL servers for tests, which are found, started and stopped
 * automatically.
 *
 * @since 0.1.0
 */
@NullMarked
package dev.eventing.sdk.test.server;

import org.jspecify.annotations.NullMarked;
