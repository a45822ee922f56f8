package dev.eventing.soak.judge;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * One projector's read model beside what it should be.
 *
 * @param projector its name
 * @param expected the accounts with their last versions
 * @param rows the accounts with what was applied
 */
record Comparison(String projector, Map<String, Long> expected, Map<String, ReadModels.Row> rows) {

	private static final int SHOWN = 4;

	private static final ReadModels.Row NOTHING = new ReadModels.Row(0, 0, 0);

	/** Adds what differs, in words; the first few accounts say enough. */
	void addTo(List<String> found) {
		List<String> all = new ArrayList<>();
		Set<String> accounts = new TreeSet<>(this.expected.keySet());
		accounts.addAll(this.rows.keySet());
		accounts.forEach((account) -> compare(account, all));
		found.addAll(all.subList(0, Math.min(SHOWN, all.size())));
		if (all.size() > SHOWN) {
			found.add(this.projector + " differs in " + (all.size() - SHOWN) + " more ways");
		}
	}

	private void compare(String account, List<String> found) {
		long sent = this.expected.getOrDefault(account, 0L);
		ReadModels.Row row = this.rows.getOrDefault(account, NOTHING);
		if (row.distinct() < sent) {
			found.add(this.projector + " lacks " + (sent - row.distinct()) + " of " + sent + " events of " + account);
		}
		if (row.applied() > row.distinct()) {
			found.add(this.projector + " applied " + (row.applied() - row.distinct()) + " events of " + account
					+ " again");
		}
		if (row.last() > sent) {
			found.add(this.projector + " applied version " + row.last() + " of " + account + ", of which there are "
					+ sent);
		}
	}

}
