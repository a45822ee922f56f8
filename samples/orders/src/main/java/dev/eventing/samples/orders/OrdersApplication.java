package dev.eventing.samples.orders;

import java.util.List;

import dev.eventing.samples.orders.demo.Demo;
import dev.eventing.samples.orders.demo.OrdersProperties;
import dev.eventing.samples.orders.order.OrderGenerator;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/**
 * The sample's entry. What the Eventing SDK is to do stands in
 * {@code application.properties}; {@link LocalServers} adds the addresses of NATS and
 * PostgreSQL.
 */
@SpringBootApplication
@EnableConfigurationProperties(OrdersProperties.class)
public class OrdersApplication {

	/**
	 * Runs the sample.
	 * @param args {@code --once} to end after the report; {@code --orders.count=N}
	 */
	public static void main(String[] args) throws Exception {
		ConfigurableApplicationContext context = new SpringApplicationBuilder(OrdersApplication.class)
			.initializers(new LocalServers())
			.run(args);
		try {
			run(context.getBean(Demo.class), List.of(args).contains("--once"));
		}
		catch (RuntimeException ex) {
			// The projectors' threads would keep a JVM alive that has nothing to do.
			ex.printStackTrace();
			System.exit(1);
		}
	}

	private static void run(Demo demo, boolean once) throws Exception {
		boolean good = demo.run().isGood();
		if (!good || once) {
			System.exit(good ? 0 : 1);
		}
		demo.keepGoing();
	}

	@Bean
	OrderGenerator orderGenerator(OrdersProperties properties) {
		return new OrderGenerator(properties.seed());
	}

}
