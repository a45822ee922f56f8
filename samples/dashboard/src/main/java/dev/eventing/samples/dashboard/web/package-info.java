/**
 * The page, and who sees what.
 */
@NullMarked
package dev.eventing.samples.dashboard.web;

import org.jspecify.annotations.NullMarked;
