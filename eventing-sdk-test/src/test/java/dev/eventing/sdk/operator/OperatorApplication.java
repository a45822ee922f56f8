package dev.eventing.sdk.operator;

import java.util.List;
import java.util.stream.Stream;

import dev.eventing.sdk.test.server.TestServers;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

import static org.springframework.security.config.Customizer.withDefaults;

/**
 * An application with the endpoint, the console, its own database and no projector.
 */
final class OperatorApplication implements AutoCloseable {

	static final String USER = "ada";

	static final String PASSWORD = "countess";

	final String database = TestServers.postgres().createDatabase();

	private final ConfigurableApplicationContext context;

	final JdbcTemplate jdbc;

	final Letters letters;

	final Http http;

	private OperatorApplication(Class<?> security, String... properties) {
		List<String> common = List.of("spring.main.banner-mode=off", "server.address=127.0.0.1", "server.port=0",
				"spring.datasource.url=" + this.database, "spring.datasource.username=postgres",
				"spring.datasource.hikari.maximum-pool-size=4", "spring.jpa.open-in-view=false",
				"spring.flyway.enabled=false", "eventing.nats.servers=" + TestServers.nats().url(),
				"eventing.schema.mode=migrate",
				"management.endpoints.web.exposure.include=eventing-deadletters,eventing-projectors,eventing-erasures",
				"eventing.console.enabled=true", "spring.security.user.name=" + USER,
				"spring.security.user.password=" + PASSWORD);
		this.context = new SpringApplicationBuilder(Application.class, security).web(WebApplicationType.SERVLET)
			.properties(Stream.concat(common.stream(), Stream.of(properties)).toArray(String[]::new))
			.run();
		this.jdbc = new JdbcTemplate(TestServers.postgres().dataSource(this.database));
		this.letters = new Letters(TestServers.postgres().dataSource(this.database));
		this.http = new Http(this.context.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
	}

	/** With Spring Security, which knows users but demands none. */
	static OperatorApplication secured(String... properties) {
		return new OperatorApplication(UsersWelcome.class, properties);
	}

	/** As if Spring Security was not there, and open to anybody. */
	static OperatorApplication unsecured(String... properties) {
		return unguarded(
				Stream.concat(Stream.of("eventing.console.access=open"), Stream.of(properties)).toArray(String[]::new));
	}

	/** As if Spring Security was not there, and nothing said of that. */
	static OperatorApplication unguarded(String... properties) {
		String[] all = Stream.concat(Stream.of(properties), Stream.of("spring.autoconfigure.exclude="
				+ "org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration,"
				+ "org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration,"
				+ "org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration"))
			.toArray(String[]::new);
		return new OperatorApplication(NoSecurity.class, all);
	}

	@Override
	public void close() {
		this.context.close();
		TestServers.postgres().dropDatabase(this.database);
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

	@Configuration(proxyBeanMethods = false)
	static class NoSecurity {

	}

	@Configuration(proxyBeanMethods = false)
	static class UsersWelcome {

		/** The endpoint is for programs, which have no session to take a token from. */
		@Bean
		SecurityFilterChain filters(HttpSecurity http) throws Exception {
			return http.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll())
				.httpBasic(withDefaults())
				.csrf((csrf) -> csrf.ignoringRequestMatchers("/actuator/**"))
				.build();
		}

	}

}
