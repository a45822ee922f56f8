package dev.eventing.sdk.operator;

import org.jspecify.annotations.Nullable;

/**
 * The result of the command line's redrive: what two requests over HTTP return.
 *
 * @param redrive the requested redrive, or its dry run
 * @param progress its progress when the command ended; null for a dry run, and if no
 * letter matches
 */
public record RedriveResult(RedriveView redrive, @Nullable ProgressView progress) {
}
