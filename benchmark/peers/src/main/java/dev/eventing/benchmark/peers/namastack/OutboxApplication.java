package dev.eventing.benchmark.peers.namastack;

import java.io.IOException;

import io.namastack.outbox.config.JdbcOutboxAutoConfiguration;
import io.namastack.outbox.config.JdbcOutboxSchemaAutoConfiguration;
import io.namastack.outbox.config.OutboxCoreInfrastructureAutoConfiguration;
import io.namastack.outbox.config.OutboxCoreMulticasterAutoConfiguration;
import io.namastack.outbox.config.OutboxCoreProcessingAutoConfiguration;
import io.namastack.outbox.config.OutboxCoreSchedulingAutoConfiguration;
import io.namastack.outbox.config.OutboxCoreThreadingAutoConfiguration;
import io.namastack.outbox.OutboxJacksonAutoConfiguration;
import io.nats.client.Connection;
import io.nats.client.Nats;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Bean;

/**
 * An application with the outbox's starter and nothing else; the class path of this
 * module would have Boot set up more.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, DataSourceTransactionManagerAutoConfiguration.class,
		TransactionAutoConfiguration.class, JdbcTemplateAutoConfiguration.class, JdbcClientAutoConfiguration.class,
		TaskExecutionAutoConfiguration.class, TaskSchedulingAutoConfiguration.class,
		OutboxJacksonAutoConfiguration.class, JdbcOutboxSchemaAutoConfiguration.class,
		JdbcOutboxAutoConfiguration.class, OutboxCoreInfrastructureAutoConfiguration.class,
		OutboxCoreThreadingAutoConfiguration.class, OutboxCoreProcessingAutoConfiguration.class,
		OutboxCoreSchedulingAutoConfiguration.class, OutboxCoreMulticasterAutoConfiguration.class })
class OutboxApplication {

	@Bean
	Connection nats(@Value("${benchmark.nats-url}") String url) throws IOException, InterruptedException {
		return Nats.connect(url);
	}

	@Bean
	JetStreamHandler jetStreamHandler(Connection nats) throws IOException {
		return new JetStreamHandler(nats.jetStream());
	}

}
