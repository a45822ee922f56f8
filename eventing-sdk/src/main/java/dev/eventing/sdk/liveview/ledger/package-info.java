/** The states of live views, in PostgreSQL. */
@NullMarked
package dev.eventing.sdk.liveview.ledger;

import org.jspecify.annotations.NullMarked;
