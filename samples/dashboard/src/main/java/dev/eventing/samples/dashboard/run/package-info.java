/**
 * Runs the sample with servers of its own, and checks it in a browser.
 */
@NullMarked
package dev.eventing.samples.dashboard.run;

import org.jspecify.annotations.NullMarked;
