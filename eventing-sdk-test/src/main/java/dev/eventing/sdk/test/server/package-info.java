/**
 * Real NATS and PostgreSQL servers for tests, found, started and stopped by themselves.
 */
@NullMarked
package dev.eventing.sdk.test.server;

import org.jspecify.annotations.NullMarked;
