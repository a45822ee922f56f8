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
 * An application with the console, its own database and no projector.
 */
final class OperatorApplication implements AutoCloseable {

	/** Where programs and the page send their requests. */
	static final String API = "/eventing/console/api";

	static final String USER = "ada";

	static final String PASSWORD = "countess";

	final String database = TestServers.postgres().createDatabase();

	private final ConfigurableApplicationContext context;

	final JdbcTemplate jdbc;

	final Letters letters;

	final Http http;

	/** The same client, with the header of a program or of the page. */
	final Http api;

	private OperatorApplication(Class<?> security, String... properties) {
		List<String> common = List.of("spring.main.banner-mode=off", "server.address=127.0.0.1", "server.port=0",
				"spring.datasource.url=" + this.database, "spring.datasource.username=postgres",
				"spring.datasource.hikari.maximum-pool-size=4", "spring.jpa.open-in-view=false",
				"spring.flyway.enabled=false", "eventing.nats.servers=" + TestServers.nats().url(),
				"eventing.schema.mode=migrate", "eventing.console.enabled=true", "spring.security.user.name=" + USER,
				"spring.security.user.password=" + PASSWORD);
		this.context = new SpringApplicationBuilder(Application.class, security).web(WebApplicationType.SERVLET)
			.properties(Stream.concat(common.stream(), Stream.of(properties)).toArray(String[]::new))
			.run();
		this.jdbc = new JdbcTemplate(TestServers.postgres().dataSource(this.database));
		this.letters = new Letters(TestServers.postgres().dataSource(this.database));
		this.http = new Http(this.context.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
		this.api = this.http.with("X-Eventing-Console", "test");
	}

	/** With Spring Security, which knows users but demands none, open for programs. */
	static OperatorApplication secured(String... properties) {
		return new OperatorApplication(ProgramsWelcome.class, properties);
	}

	/** With Spring Security, which demands its token of each change, as at first. */
	static OperatorApplication withTokens(String... properties) {
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

	/** The API for the user whom Spring Security knows. */
	Http ada() {
		return this.api.as(USER, PASSWORD);
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

		@Bean
		SecurityFilterChain filters(HttpSecurity http) throws Exception {
			return http.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll())
				.httpBasic(withDefaults())
				.build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ProgramsWelcome {

		/** Programs have no session to take a token from. */
		@Bean
		SecurityFilterChain filters(HttpSecurity http) throws Exception {
			return http.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll())
				.httpBasic(withDefaults())
				.csrf((csrf) -> csrf.ignoringRequestMatchers("/eventing/console/api/**"))
				.build();
		}

	}

}
