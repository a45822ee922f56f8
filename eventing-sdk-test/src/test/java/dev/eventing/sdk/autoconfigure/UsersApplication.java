package dev.eventing.sdk.autoconfigure;

import java.util.UUID;

import dev.eventing.sdk.annotation.ProjectorEventHandler;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;

/** The smallest application: a handler, and no other bean of the SDK. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class UsersApplication {

	static ConfigurableApplicationContext run(String... properties) {
		return new SpringApplicationBuilder(UsersApplication.class).web(WebApplicationType.NONE)
			.properties("spring.application.name=users", "spring.main.banner-mode=off",
					"spring.flyway.locations=classpath:dev/eventing/sdk/autoconfigure/migration",
					"spring.datasource.username=postgres", "spring.datasource.hikari.maximum-pool-size=5",
					"spring.jpa.open-in-view=false")
			.properties(properties)
			.run();
	}

	@Bean
	Users users(JdbcTemplate jdbc) {
		return new Users(jdbc);
	}

	static class Users {

		private final JdbcTemplate jdbc;

		Users(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
		}

		@ProjectorEventHandler(subject = "${root}.{tenant}.created", projectorName = "users")
		void on(UserCreated event, UUID eventId, String tenantId) {
			this.jdbc.update("insert into users values (?, ?, ?, ?)", tenantId, eventId, event.name(),
					String.valueOf(Thread.currentThread()));
		}

	}

	record UserCreated(String name) {
	}

}
