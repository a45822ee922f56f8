/**
 * Time in tests: how long to wait for something good, and how long something took on a
 * machine that has other things to do.
 *
 * @since 0.1.0
 */
@NullMarked
package dev.eventing.sdk.test.timing;

import org.jspecify.annotations.NullMarked;
