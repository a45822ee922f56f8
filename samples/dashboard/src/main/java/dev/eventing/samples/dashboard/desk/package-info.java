/**
 * The desks where reservations are made: the source of events.
 */
@NullMarked
package dev.eventing.samples.dashboard.desk;

import org.jspecify.annotations.NullMarked;
