/** The faults and their times: a plan that a seed makes, and how each kind is caused. */
@NullMarked
package dev.eventing.soak.fault;

import org.jspecify.annotations.NullMarked;
