/**
 * Runs the sample with separate servers, and checks it in a browser.
 */
@NullMarked
package dev.eventing.samples.dashboard.run;

import org.jspecify.annotations.NullMarked;
