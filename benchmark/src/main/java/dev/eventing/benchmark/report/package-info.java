/** The results: results.json, a table, a plot, and the ratios that have targets. */
@NullMarked
package dev.eventing.benchmark.report;

import org.jspecify.annotations.NullMarked;
