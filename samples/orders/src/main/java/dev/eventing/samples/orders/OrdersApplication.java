package dev.eventing.samples.orders;

import java.util.List;
import java.util.stream.Stream;

import dev.eventing.samples.orders.demo.Demo;
import dev.eventing.samples.orders.demo.OrdersProperties;
import dev.eventing.samples.orders.order.OrderGenerator;
import dev.eventing.samples.orders.rebuild.RebuildDemo;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/**
 * The sample's entry. The settings of the Eventing SDK are in
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
		boolean once = List.of(args).contains("--once");
		LocalServers servers = new LocalServers();
		ConfigurableApplicationContext context = application(servers).run(args);
		if (!context.getEnvironment().matchesProfiles("rebuild")) {
			run(context, () -> end(context, context.getBean(Demo.class).run().isGood(), once));
		}
		else if (run(context, context.getBean(RebuildDemo.class)::placeFirst)) {
			context.close();
			ConfigurableApplicationContext next = application(servers).profiles("version-2").run(withMigration(args));
			run(next, () -> end(next, next.getBean(RebuildDemo.class).run().isGood(), once));
		}
	}

	/**
	 * The arguments of the next deployment of the application, which has version 2 beside
	 * version 1.
	 */
	private static String[] withMigration(String[] args) {
		return Stream.concat(Stream.of(args), Stream.of("--spring.flyway.target=latest")).toArray(String[]::new);
	}

	private static SpringApplicationBuilder application(LocalServers servers) {
		return new SpringApplicationBuilder(OrdersApplication.class).initializers(servers);
	}

	/** Returns false if the context was closed meanwhile. */
	private static boolean run(ConfigurableApplicationContext context, Work work) throws Exception {
		try {
			work.run();
		}
		catch (RuntimeException ex) {
			// Ctrl-C closes what this thread is using; that is no failure.
			if (!context.isClosed()) {
				// The projectors' threads would keep a JVM alive that has nothing to do.
				ex.printStackTrace();
				System.exit(1);
			}
		}
		return !context.isClosed();
	}

	private static void end(ConfigurableApplicationContext context, boolean good, boolean once) throws Exception {
		if (!good || once) {
			System.exit(good ? 0 : 1);
		}
		context.getBean(Demo.class).keepGoing();
	}

	/** Work with a context. */
	private interface Work {

		void run() throws Exception;

	}

	@Bean
	OrderGenerator orderGenerator(OrdersProperties properties) {
		return new OrderGenerator(properties.seed());
	}

}
