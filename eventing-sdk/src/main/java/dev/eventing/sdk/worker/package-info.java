/**
 * The threads of the SDK. Each is supervised: if its work ends unexpectedly, this is
 * logged, shown as a failure, and the work restarts.
 *
 * @since 0.1.0
 */
@NullMarked
package dev.eventing.sdk.worker;

import org.jspecify.annotations.NullMarked;
