package dev.eventing.benchmark.contender;

/**
 * The resources of a {@link RelayContender} for one round.
 *
 * @param natsUrl where NATS is
 * @param stream the JetStream stream that takes the events; empty, and it carries
 * {@link OutboxEvent#SUBJECT}
 * @param jdbcUrl an empty PostgreSQL database, user included, with {@code wal_level} =
 * {@code logical}; all tables and schemas in it are dropped after the round, slots are
 * not
 * @param name a name for whatever needs one that was never used
 * @param poolSize the most database connections to use
 */
public record RelayRound(String natsUrl, String stream, String jdbcUrl, String name, int poolSize) {
}
