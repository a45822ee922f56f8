/**
 * The projector's path: pull, lanes, one transaction per batch, failure path, life cycle.
 *
 * @since 0.1.0
 */
@NullMarked
package dev.eventing.sdk.projector;

import org.jspecify.annotations.NullMarked;
