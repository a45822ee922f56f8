/**
 * Publishes dead letters to JetStream.
 */
@NullMarked
package dev.eventing.sdk.deadletter.forward;

import org.jspecify.annotations.NullMarked;
