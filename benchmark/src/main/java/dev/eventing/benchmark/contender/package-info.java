/**
 * What takes part in a comparison, and what it is given: implement it to compare
 * something of your own.
 */
@NullMarked
package dev.eventing.benchmark.contender;

import org.jspecify.annotations.NullMarked;
