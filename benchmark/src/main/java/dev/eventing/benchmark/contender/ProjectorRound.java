package dev.eventing.benchmark.contender;

/**
 * The resources of a {@link ProjectorContender} for one round.
 *
 * @param natsUrl where NATS is
 * @param stream the JetStream stream that holds the events of the round and no others, as
 * CloudEvents with the headers {@code ce-id}, {@code ce-tenantid}, {@code ce-type}
 * (always {@link AccountChanged#TYPE}), {@code ce-subject} (the account) and
 * {@code ce-sequence}
 * @param subject what to filter by; the second token is the tenant
 * @param jdbcUrl a PostgreSQL database with the {@link ReadModel} and the SDK's empty
 * tables in it, user included; tables and schemas of the contender's own are dropped
 * after the round
 * @param projector a name for the durable and for rows of {@code processed_events}
 * @param events how many events there are, with {@link #changes}
 * @param poolSize the most database connections to use
 */
public record ProjectorRound(String natsUrl, String stream, String subject, String jdbcUrl, String projector,
		int events, int poolSize) {

	/**
	 * The events of the round, for contenders that have to keep them elsewhere than in
	 * JetStream. Made again for each caller.
	 */
	public AccountChanges changes() {
		return AccountChanges.of(this.events);
	}

	/** The same with so many events. */
	public ProjectorRound ofEvents(int number) {
		return new ProjectorRound(this.natsUrl, this.stream, this.subject, this.jdbcUrl, this.projector, number,
				this.poolSize);
	}

}
