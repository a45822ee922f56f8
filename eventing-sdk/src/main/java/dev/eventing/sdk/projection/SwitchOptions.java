package dev.eventing.sdk.projection;

/**
 * Checks that a switch to another generation leaves out.
 *
 * @param isUnchecked whether it is made whatever the checks of the projector would find
 * @param acceptsLostColumns whether it is made although the tables of the generation lack
 * columns of the live ones, or have them with another type
 */
public record SwitchOptions(boolean isUnchecked, boolean acceptsLostColumns) {

	/** It looks at everything. */
	public static final SwitchOptions STRICT = new SwitchOptions(false, false);

	/** The checks do not run. */
	public SwitchOptions unchecked() {
		return new SwitchOptions(true, this.acceptsLostColumns);
	}

	/** Readers may lose columns. */
	public SwitchOptions acceptingLostColumns() {
		return new SwitchOptions(this.isUnchecked, true);
	}

}
