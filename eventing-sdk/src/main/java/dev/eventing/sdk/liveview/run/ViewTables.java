package dev.eventing.sdk.liveview.run;

import dev.eventing.sdk.liveview.ledger.LiveStates;
import dev.eventing.sdk.projector.ReadModel;

import org.springframework.transaction.support.TransactionOperations;

/**
 * The database of views.
 *
 * @param states in the transaction of the thread
 * @param transactions new ones, for what is done by hand
 * @param retired deletes the states of generations that are retired
 */
public record ViewTables(LiveStates states, TransactionOperations transactions, ReadModel.Rows retired) {
}
