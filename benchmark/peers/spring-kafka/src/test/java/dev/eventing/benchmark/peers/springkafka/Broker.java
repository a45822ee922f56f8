package dev.eventing.benchmark.peers.springkafka;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ExecutionException;

import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

import org.springframework.boot.logging.LoggingSystem;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

/**
 * A Kafka broker. It prints its address, sends a record for each line that it reads, says
 * so, and ends with its input.
 */
final class Broker {

	private static final String TOPIC = "orders";

	private Broker() {
	}

	public static void main(String[] args) throws IOException, ExecutionException, InterruptedException {
		// The output is for the lines that are waited for.
		LoggingSystem.get(Broker.class.getClassLoader()).beforeInitialize();
		EmbeddedKafkaKraftBroker broker = new EmbeddedKafkaKraftBroker(1, 1, TOPIC);
		// Kafka's default waits 3 s for other members of a group.
		broker.brokerProperty("group.initial.rebalance.delay.ms", "0");
		broker.afterPropertiesSet();
		try {
			serve(broker.getBrokersAsString());
		}
		finally {
			broker.destroy();
		}
		System.exit(0);
	}

	private static void serve(String address) throws IOException, ExecutionException, InterruptedException {
		StringSerializer strings = new StringSerializer();
		BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
		try (KafkaProducer<String, String> producer = new KafkaProducer<>(Map.of("bootstrap.servers", address), strings,
				strings)) {
			System.out.println("broker at " + address);
			for (String line = lines.readLine(); line != null; line = lines.readLine()) {
				producer.send(new ProducerRecord<>(TOPIC, line)).get();
				System.out.println("sent");
			}
		}
	}

}
