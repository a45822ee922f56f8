/** What goes wrong, and when: a plan that a seed makes, and how each kind is done. */
@NullMarked
package dev.eventing.samples.soak.fault;

import org.jspecify.annotations.NullMarked;
