package dev.eventing.samples.orders.rebuild;

/**
 * A new generation before the switch.
 *
 * @param live what readers see of the live one
 * @param rows the rows of the new one
 * @param agreement how both differ
 */
public record Candidate(View live, Rows rows, Agreement agreement) {

	/** Whether it has what the live one lacks, and agrees with it in all else. */
	boolean isGood() {
		return this.rows.empty() == 0 && this.agreement.isInAllElse();
	}

}
