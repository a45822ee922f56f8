/**
 * Looks once a second for pauses and requests of operators, and reports what this node
 * runs.
 */
@NullMarked
package dev.eventing.sdk.projector.control;

import org.jspecify.annotations.NullMarked;
