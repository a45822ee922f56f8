package dev.eventing.benchmark.peers.springkafka;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.kafka.annotation.KafkaListener;

/** Listens to one topic and says when it was given a record. */
@SpringBootApplication
public class ListenerApplication {

	public static void main(String[] args) {
		SpringApplication.run(ListenerApplication.class, args);
	}

	@KafkaListener(topics = "orders", groupId = "daily-sales")
	void shipped(String record) {
		System.out.println("handled at " + System.currentTimeMillis());
	}

}
