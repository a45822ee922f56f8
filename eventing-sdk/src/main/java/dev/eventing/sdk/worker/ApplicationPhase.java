package dev.eventing.sdk.worker;

/** When parts of the SDK start and stop. A later phase starts later and stops earlier. */
public enum ApplicationPhase {

	/**
	 * What watches the others: it also shows a part that hangs while it starts or stops.
	 */
	WATCH(ApplicationPhase.OF_PARTS - 1),

	/**
	 * What handles events. Later than the beans that handlers use, and earlier than a web
	 * server of Spring Boot. So projectors run before the web server accepts requests.
	 * They still run while it completes its last requests, which may wait for them.
	 */
	PARTS(ApplicationPhase.OF_PARTS),

	/**
	 * Requests that do not end by themselves. A web server waits for its requests when it
	 * stops.
	 */
	STREAMS(Integer.MAX_VALUE);

	private static final int OF_PARTS = Integer.MAX_VALUE - 4000;

	private final int value;

	ApplicationPhase(int value) {
		this.value = value;
	}

	/** The phase of Spring's life cycle. */
	public int value() {
		return this.value;
	}

}
