/** Rebuilds a read model beside the live one, while orders are placed. */
@NullMarked
package dev.eventing.samples.orders.rebuild;

import org.jspecify.annotations.NullMarked;
