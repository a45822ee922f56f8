/**
 * Runs handlers in the transactions that append ({@code InlineAppends}), and follows the
 * event store whenever these have not run them ({@code InlineFeed}).
 */
@NullMarked
package dev.eventing.sdk.projector.inline;

import org.jspecify.annotations.NullMarked;
