/**
 * What takes part in a comparison, and what it is given: implement it to compare
 * something of your own.
 */
@NullMarked
package dev.eventing.samples.benchmark.contender;

import org.jspecify.annotations.NullMarked;
