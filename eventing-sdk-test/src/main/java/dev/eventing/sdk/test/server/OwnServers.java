package dev.eventing.sdk.test.server;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.MapPropertySource;

/**
 * Gives each context of the tests a database and a NATS server of its own. So an
 * application whose subjects, streams and durables are constants can be started several
 * times in one JVM, as {@code @SpringBootTest} does for each set of properties. Name it
 * in {@code @ContextConfiguration(initializers = OwnServers.class)}.
 *
 * <p>
 * A main method among the tests starts the application with servers, too:
 * {@code OrdersApplication.main(OwnServers.arguments(args))}.
 *
 * <p>
 * The initializer sets {@code spring.datasource.url}, {@code .username} and
 * {@code .password} and {@code eventing.nats.servers}, whatever the application's
 * properties have, and {@code eventing.schema.mode=migrate} unless they have another
 * mode. The database is on the server {@link TestServers#postgres()}. The NATS server
 * ends with the context, and with the JVM if nothing closes the context.
 */
public final class OwnServers implements ApplicationContextInitializer<ConfigurableApplicationContext> {

	private static final String FIRST = "eventing-own-servers";

	private static final String LAST = "eventing-own-servers-defaults";

	/**
	 * Adds the same to the arguments of an application: {@link TestServers#nats()}, and a
	 * new database. Both end with the JVM. The mode of the schema is the application's.
	 * @param args the arguments; what they set, stays
	 */
	public static String[] arguments(String... args) {
		List<String> all = new ArrayList<>(List.of(args));
		servers(TestServers.nats()).forEach((name, value) -> {
			// One that is set twice has both values.
			if (all.stream().noneMatch((arg) -> arg.startsWith("--" + name + "="))) {
				all.add("--" + name + "=" + value);
			}
		});
		return all.toArray(String[]::new);
	}

	@Override
	public void initialize(ConfigurableApplicationContext context) {
		NatsServer nats = TestServers.startNats();
		if (context instanceof GenericApplicationContext registry) {
			register(nats, registry.getDefaultListableBeanFactory());
		}
		context.getEnvironment().getPropertySources().addFirst(new MapPropertySource(FIRST, servers(nats)));
		context.getEnvironment()
			.getPropertySources()
			.addLast(new MapPropertySource(LAST, Map.of("eventing.schema.mode", "migrate")));
	}

	/**
	 * Registers the server itself, and not how to make it. A lazy bean that is never
	 * created is not destroyed, and Spring cannot generate code for an instance. What is
	 * registered first ends last.
	 */
	private static void register(NatsServer nats, DefaultListableBeanFactory beans) {
		String name = "eventingTestNats" + UUID.randomUUID();
		beans.registerSingleton(name, nats);
		beans.registerDisposableBean(name, nats::close);
	}

	private static Map<String, Object> servers(NatsServer nats) {
		Map<String, Object> servers = new LinkedHashMap<>();
		servers.put("spring.datasource.url", withoutUser(TestServers.postgres().createDatabase()));
		servers.put("spring.datasource.username", TestServers.postgres().username());
		servers.put("spring.datasource.password", "");
		servers.put("eventing.nats.servers", nats.url());
		return servers;
	}

	/** A user in the URL would win over one that the application sets as a property. */
	private static String withoutUser(String jdbcUrl) {
		return jdbcUrl.substring(0, jdbcUrl.indexOf("?user="));
	}

}
