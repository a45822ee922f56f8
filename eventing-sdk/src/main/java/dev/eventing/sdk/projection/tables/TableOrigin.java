package dev.eventing.sdk.projection.tables;

/** How the tables of a generation are created. */
public enum TableOrigin {

	/** As copies of the live ones, without rows. */
	COPY,

	/**
	 * By a script of the application, so that their structure may be another than that of
	 * the live ones. Owner, rights and policies are the same.
	 */
	SCRIPT;

	/** How they are created by code with, or without, a script. */
	public static TableOrigin of(boolean scripted) {
		return scripted ? SCRIPT : COPY;
	}

}
