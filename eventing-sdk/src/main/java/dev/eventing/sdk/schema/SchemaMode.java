package dev.eventing.sdk.schema;

/** How the SDK treats its tables when an application starts. */
public enum SchemaMode {

	/**
	 * Checks that they exist and are complete, that the role of the application has the
	 * rights to use them, that no sequence is behind its column, and that row level
	 * security hides none of their rows. Changes nothing.
	 */
	VALIDATE,

	/** Creates or updates them with Flyway, then checks as {@link #VALIDATE} does. */
	MIGRATE,

	/** Neither checks nor changes them. */
	NONE

}
