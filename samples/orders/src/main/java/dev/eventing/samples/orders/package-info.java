/**
 * The orders sample: from published events to two read models, and back to check them.
 */
@NullMarked
package dev.eventing.samples.orders;

import org.jspecify.annotations.NullMarked;
