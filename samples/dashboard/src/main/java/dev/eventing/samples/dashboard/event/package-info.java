/**
 * What happens to reservations.
 */
@NullMarked
package dev.eventing.samples.dashboard.event;

import org.jspecify.annotations.NullMarked;
