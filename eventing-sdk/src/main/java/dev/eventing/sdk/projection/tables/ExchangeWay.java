package dev.eventing.sdk.projection.tables;

/** How the tables of two generations change places. */
public enum ExchangeWay {

	/**
	 * Their schemas change names. The live schema must be the read model's alone. No
	 * table is locked.
	 */
	SCHEMAS("Their schemas changed names; no reader had to wait for that."),

	/** The tables move between the schemas. Readers wait for each other and for that. */
	TABLES("The tables moved between the schemas.");

	private final String words;

	ExchangeWay(String words) {
		this.words = words;
	}

	/** How it was done, as a sentence. */
	public String words() {
		return this.words;
	}

}
