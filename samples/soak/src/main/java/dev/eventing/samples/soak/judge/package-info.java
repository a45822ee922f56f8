/** What is wrong with what was seen. */
@NullMarked
package dev.eventing.samples.soak.judge;

import org.jspecify.annotations.NullMarked;
