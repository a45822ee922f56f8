/**
 * JetStream: connection, streams, durable consumers, pulling, settling, publishing. The
 * only package that uses the NATS client.
 *
 * @since 0.1.0
 */
@NullMarked
package dev.eventing.sdk.nats;

import org.jspecify.annotations.NullMarked;
