package dev.eventing.sdk.guarantees;

import java.util.Map;
import java.util.UUID;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The event of one account, {@link #ACCOUNT}, which a stream gets again and again, and
 * which each generation must apply once.
 */
final class LostDeposit implements AutoCloseable {

	static final String ACCOUNT = "lost";

	private final UUID id = UUID.randomUUID();

	private final World world;

	private final StreamRebuilds rebuilds;

	private final Wire wire;

	LostDeposit(World world, StreamRebuilds rebuilds) {
		this.world = world;
		this.rebuilds = rebuilds;
		this.wire = new Wire(world.natsUrl());
	}

	UUID id() {
		return this.id;
	}

	/** Without an id for JetStream, so that the stream has it each time. */
	void publish(String tenant) {
		this.wire.publish(this.world.root() + ".acme.deposited", Map.of("Content-Type", "application/cloudevents+json"),
				envelope(tenant));
	}

	String envelope(String tenant) {
		return """
				{"specversion": "1.0", "id": "%s", "type": "Deposited", "source": "/test", "tenantid": "%s",
				 "subject": "lost", "data": {"account": "lost", "version": 1, "amount": 7}}""".formatted(this.id,
				tenant);
	}

	/** Once, and so are the events of the other accounts up to this version. */
	void assertThatItIsAppliedIn(String schema, long version) {
		assertThat(this.world
			.count("select count(*) from " + schema + ".account where account = 'lost' and version = 1 and total = 7"))
			.isEqualTo(1);
		this.rebuilds.assertThatTheReadModelIsExact(schema, version);
	}

	@Override
	public void close() {
		this.wire.close();
	}

}
