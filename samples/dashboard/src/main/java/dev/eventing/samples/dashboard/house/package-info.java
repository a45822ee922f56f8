/**
 * The two tenants of the sample: who works there, and what can be reserved.
 */
@NullMarked
package dev.eventing.samples.dashboard.house;

import org.jspecify.annotations.NullMarked;
