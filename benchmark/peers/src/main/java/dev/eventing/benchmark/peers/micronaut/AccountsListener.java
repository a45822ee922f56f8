package dev.eventing.benchmark.peers.micronaut;

import java.sql.SQLException;
import java.util.UUID;

import io.micronaut.context.annotation.Requires;
import io.micronaut.messaging.annotation.MessageBody;
import io.micronaut.messaging.annotation.MessageHeader;
import io.micronaut.nats.jetstream.annotation.JetStreamListener;
import io.micronaut.nats.jetstream.annotation.PushConsumer;
import io.micronaut.nats.jetstream.bind.NatsAcknowledgement;
import io.micronaut.serde.annotation.SerdeImport;
import io.nats.client.api.AckPolicy;

import dev.eventing.benchmark.contender.AccountChanged;

/**
 * A push consumer as the guide shows it: one method, one event, one thread.
 * <p>
 * The acknowledgement is explicit and follows the commit. The other way the library knows
 * acknowledges also what the method threw on.
 */
@JetStreamListener
@Requires(property = MicronautApplication.CONSUMER, value = "push")
@SerdeImport(AccountChanged.class)
class AccountsListener {

	private final AccountsService accounts;

	private final StartSignal start;

	AccountsListener(AccountsService accounts, StartSignal start) {
		this.accounts = accounts;
		this.start = start;
	}

	@PushConsumer(value = "${" + MicronautApplication.STREAM + "}", subject = "${" + MicronautApplication.SUBJECT + "}",
			durable = "${" + MicronautApplication.PROJECTOR + "}", ackPolicy = AckPolicy.Explicit)
	void on(@MessageBody AccountChanged change, @MessageHeader("ce-id") String id,
			@MessageHeader("ce-tenantid") String tenant, NatsAcknowledgement acknowledgement)
			throws SQLException, InterruptedException {
		this.start.await();
		this.accounts.apply(new Delivery(UUID.fromString(id), tenant, change));
		acknowledgement.ack();
	}

}
