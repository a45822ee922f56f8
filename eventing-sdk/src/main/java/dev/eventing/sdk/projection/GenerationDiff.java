package dev.eventing.sdk.projection;

import java.util.List;

/**
 * The differences between the live generation of a read model and the one beside it.
 *
 * @param result what was stored: the number of rows that differ, and the first of them
 * @param tables what was compared; empty if there is no answer
 */
public record GenerationDiff(ReconciliationResult result, List<TableDiff> tables) {

	public GenerationDiff {
		tables = List.copyOf(tables);
	}

	/**
	 * One table of the read model.
	 *
	 * @param table its name
	 * @param liveRows how many rows the live generation has
	 * @param otherRows how many rows the other one has
	 * @param differences how many rows differ, in the columns that both have
	 * @param onlyInLive the columns that the live generation alone has
	 * @param onlyInOther the columns that the other one alone has
	 */
	public record TableDiff(String table, long liveRows, long otherRows, long differences, List<String> onlyInLive,
			List<String> onlyInOther) {

		public TableDiff {
			onlyInLive = List.copyOf(onlyInLive);
			onlyInOther = List.copyOf(onlyInOther);
		}

	}

}
