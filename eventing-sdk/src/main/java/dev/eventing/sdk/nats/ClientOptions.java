package dev.eventing.sdk.nats;

import java.time.Duration;

import io.nats.client.Options;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How the client of NATS is set up: its time-outs, its queue and its reader. */
final class ClientOptions {

	private static final Logger logger = LoggerFactory.getLogger(ClientOptions.class);

	/**
	 * The interval of pings, and so the longest time without data from the server. The
	 * client's default is minutes.
	 */
	private static final Duration PING_EVERY = Duration.ofMillis(750);

	/**
	 * A connection on which the server sends nothing for this number of ping intervals is
	 * closed. After a message has arrived, the client skips every other ping.
	 */
	private static final int SILENT_PINGS = 4;

	/**
	 * The client counts unanswered pings, and closes a connection at the third. Each pull
	 * that ends also sends a ping, and many may end at the same time. So the count is
	 * disabled, and silence is detected by the reader instead.
	 */
	private static final int ANY_PINGS_OUT = -1;

	/**
	 * The number of queued outgoing messages: enough for settlements and in-progress
	 * signals of a hundred projectors that catch up. They would exceed the client's
	 * default limit within a second; its threads would then wait for each other, and
	 * messages that wait too long are lost. The number of deliveries that projectors hold
	 * limits the queue anyway.
	 */
	private static final int OUTGOING_MESSAGES = 250_000;

	private ClientOptions() {
	}

	/**
	 * The client's options for the options of the SDK.
	 * @param events is told of the states of connections
	 */
	static Options of(NatsOptions options, ConnectionEvents events) {
		Options.Builder builder = new Options.Builder().servers(options.servers().toArray(String[]::new));
		builder.connectionName(options.connectionName())
			.connectionTimeout(options.connectionTimeout())
			.reconnectWait(options.reconnectWait())
			.pingInterval(PING_EVERY)
			.maxPingsOut(ANY_PINGS_OUT)
			.maxMessagesInOutgoingQueue(OUTGOING_MESSAGES)
			// The SDK checks subjects of events once, where it creates them. The client
			// would also check the subject of every acknowledgement.
			.subjectValidationType(Options.SubjectValidationType.None)
			.errorListener(events);
		if (DeliveryPort.canBeMade()) {
			builder.dataPortType(DeliveryPort.class.getName());
		}
		options.customizer().accept(builder);
		builder.maxReconnects(-1).connectionListener(events::connectionEvent);
		noticeSilence(builder);
		Options all = builder.build();
		if (!all.getDataPortType().equals(DeliveryPort.class.getName())) {
			logger.warn("NATS connections use the data port '{}' in place of the SDK's: a message whose headers the"
					+ " client cannot read will end them.", all.getDataPortType());
		}
		return all;
	}

	/**
	 * Sets the read time-out that detects silence, from the ping interval. Does nothing
	 * if the customizer has set that time-out or disabled pings.
	 */
	private static void noticeSilence(Options.Builder builder) {
		Options chosen = builder.build();
		long ping = chosen.getPingInterval().toMillis();
		if (ping > 0 && chosen.getSocketReadTimeoutMillis() == 0) {
			long silence = Math.max(SILENT_PINGS * ping, chosen.getConnectionTimeout().toMillis());
			builder.socketReadTimeoutMillis((int) Math.min(silence, Integer.MAX_VALUE));
		}
	}

}
