/**
 * The live view: all that the SDK needs to keep and push the numbers.
 */
@NullMarked
package dev.eventing.samples.dashboard.view;

import org.jspecify.annotations.NullMarked;
