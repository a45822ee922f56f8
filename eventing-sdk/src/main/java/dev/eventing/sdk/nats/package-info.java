/**
 * JetStream: connection, streams, durable consumers, pulling, settling, publishing. The
 * only package that uses the NATS client.
 */
@NullMarked
package dev.eventing.sdk.nats;

import org.jspecify.annotations.NullMarked;
