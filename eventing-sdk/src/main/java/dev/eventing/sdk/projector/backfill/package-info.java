/**
 * Applies earlier events to the live read model, beside the live feed: begins that as
 * operators request ({@code Backfiller}), and reads the events ({@code BackfillFeed}).
 */
@NullMarked
package dev.eventing.sdk.projector.backfill;

import org.jspecify.annotations.NullMarked;
