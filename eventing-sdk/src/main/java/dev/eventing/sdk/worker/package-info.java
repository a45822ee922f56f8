/**
 * The threads of the SDK, each supervised: what ends unexpectedly is logged, shown and
 * begun again.
 */
@NullMarked
package dev.eventing.sdk.worker;

import org.jspecify.annotations.NullMarked;
