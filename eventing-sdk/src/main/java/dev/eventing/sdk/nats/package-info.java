/**
 * JetStream: connection, streams, durable consumers, pulling, settling, publishing. The
 * only package that knows the NATS client.
 */
@NullMarked
package dev.eventing.sdk.nats;

import org.jspecify.annotations.NullMarked;
