package dev.eventing.sdk.schema;

/** What happens to the SDK's tables when an application starts. */
public enum SchemaMode {

	/** Check that they are there and complete; change nothing. */
	VALIDATE,

	/** Create or update them with Flyway, then check as {@link #VALIDATE} does. */
	MIGRATE,

	/** Neither look nor touch. */
	NONE

}
