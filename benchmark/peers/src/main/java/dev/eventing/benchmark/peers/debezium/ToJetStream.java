package dev.eventing.benchmark.peers.debezium;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.nats.client.JetStream;
import io.nats.client.Message;
import io.nats.client.api.PublishAck;
import io.nats.client.impl.Headers;
import io.nats.client.impl.NatsMessage;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * Publishes each batch of the engine as a whole and tells the engine when JetStream has
 * it, as Debezium Server's sink for JetStream does.
 */
final class ToJetStream implements DebeziumEngine.ChangeConsumer<ChangeEvent<SourceRecord, SourceRecord>> {

	static final String MESSAGE_ID = "Nats-Msg-Id";

	private final JetStream jetStream;

	private final CountDownLatch started;

	/**
	 * Makes it wait for a start.
	 * @param started holds the first batch, so that the engine is ready before the time
	 * runs
	 */
	ToJetStream(JetStream jetStream, CountDownLatch started) {
		this.jetStream = jetStream;
		this.started = started;
	}

	@Override
	public void handleBatch(List<ChangeEvent<SourceRecord, SourceRecord>> records,
			DebeziumEngine.RecordCommitter<ChangeEvent<SourceRecord, SourceRecord>> committer)
			throws InterruptedException {
		this.started.await();
		List<CompletableFuture<PublishAck>> acks = new ArrayList<>(records.size());
		for (ChangeEvent<SourceRecord, SourceRecord> record : records) {
			acks.add(this.jetStream.publishAsync(message(record.value())));
		}
		CompletableFuture.allOf(acks.toArray(CompletableFuture[]::new)).join();
		for (ChangeEvent<SourceRecord, SourceRecord> record : records) {
			committer.markProcessed(record);
		}
		committer.markBatchFinished();
	}

	private static Message message(SourceRecord record) {
		Headers headers = new Headers();
		for (Header header : record.headers()) {
			headers.add(header.key(), String.valueOf(header.value()));
		}
		return NatsMessage.builder()
			.subject(record.topic())
			.headers(headers)
			.data(String.valueOf(record.value()), StandardCharsets.UTF_8)
			.build();
	}

}
