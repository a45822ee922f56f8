package dev.eventing.sdk.guarantees;

import java.security.Principal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.liveview.LiveViewAccess;
import dev.eventing.sdk.liveview.web.LiveConnections;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.filter.ShallowEtagHeaderFilter;

import static org.springframework.security.config.Customizer.withDefaults;

/**
 * An application with a web server, Spring Security and scripted live views. Ada is of
 * the tenant acme, and may see all but keys that begin with {@code private}. Bob is of
 * the tenant globex. Without a login one sees keys of acme that begin with
 * {@code public}. The web server has four threads, fewer than tests have streams.
 */
final class BrowserApplication implements AutoCloseable {

	private static final TenantId ACME = TenantId.of("acme");

	private static final Map<String, TenantId> TENANTS = Map.of("ada", ACME, "bob", TenantId.of("globex"));

	private final ConfigurableApplicationContext context;

	final ScriptedLiveViews views;

	final LiveConnections connections;

	final int port;

	private BrowserApplication(ConfigurableApplicationContext context) {
		this.context = context;
		this.views = context.getBean(ScriptedLiveViews.class);
		this.connections = context.getBeanProvider(LiveConnections.class).getIfAvailable();
		this.port = context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
	}

	static BrowserApplication start(String... properties) {
		return new BrowserApplication(run(Stream.of(Application.class, Users.class, Access.class), properties));
	}

	/** Without a bean that decides who sees what. */
	static BrowserApplication unguarded(String... properties) {
		return new BrowserApplication(run(Stream.of(Application.class, Users.class), properties));
	}

	/** With Spring's filter that computes an ETag of each answer. */
	static BrowserApplication tagging(String... properties) {
		return new BrowserApplication(
				run(Stream.of(Application.class, Users.class, Access.class, Tags.class), properties));
	}

	private static ConfigurableApplicationContext run(Stream<Class<?>> sources, String... properties) {
		List<String> common = List.of("spring.main.banner-mode=off", "server.address=127.0.0.1", "server.port=0",
				"server.tomcat.threads.max=4", "server.tomcat.threads.min-spare=1", "server.shutdown=graceful",
				"spring.lifecycle.timeout-per-shutdown-phase=30s",
				"spring.autoconfigure.exclude=org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration");
		return new SpringApplicationBuilder(sources.toArray(Class<?>[]::new)).web(WebApplicationType.SERVLET)
			.properties(Stream.concat(common.stream(), Stream.of(properties)).toArray(String[]::new))
			.run();
	}

	BrowserClient client() {
		return new BrowserClient(this.port, null);
	}

	/** A client that is logged in. */
	BrowserClient client(String user) {
		return new BrowserClient(this.port, user);
	}

	@Override
	public void close() {
		this.context.close();
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		ScriptedLiveViews views() {
			return new ScriptedLiveViews();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Users {

		@Bean
		UserDetailsService users() {
			return new InMemoryUserDetailsManager(User.withUsername("ada").password("{noop}ada").build(),
					User.withUsername("bob").password("{noop}bob").build());
		}

		@Bean
		SecurityFilterChain filters(HttpSecurity http) throws Exception {
			return http.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll())
				.httpBasic(withDefaults())
				.build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Tags {

		@Bean
		ShallowEtagHeaderFilter tags() {
			return new ShallowEtagHeaderFilter();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Access {

		@Bean
		LiveViewAccess liveViewAccess() {
			return (request) -> {
				Principal user = request.principal();
				if (user == null) {
					return Optional.of(ACME).filter((acme) -> request.key().startsWith("public"));
				}
				return Optional.ofNullable(TENANTS.get(user.getName()))
					.filter((tenant) -> !request.key().startsWith("private"));
			};
		}

	}

}
