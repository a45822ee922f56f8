package dev.eventing.samples.dashboard.web;

import jakarta.servlet.DispatcherType;

import dev.eventing.samples.dashboard.DashboardProperties;
import dev.eventing.samples.dashboard.house.House;
import dev.eventing.sdk.liveview.LiveViewAccess;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.http.HttpStatus;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.factory.PasswordEncoderFactories;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.HttpStatusEntryPoint;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;

import static org.springframework.security.config.Customizer.withDefaults;

/** Who logs in, and who sees what: Ada the one house, Bob the other. */
@Configuration(proxyBeanMethods = false)
@Profile("web")
class WebSecurity {

	/** Nothing but what this application serves. */
	private static final String CONTENT = "default-src 'self'; frame-ancestors 'none'; base-uri 'none'";

	/** The house of who is logged in decides, whatever the request names. */
	@Bean
	LiveViewAccess liveViewAccess() {
		return (request) -> House.of(request.principal())
			.map(House::tenant)
			.filter((tenant) -> request.tenant() == null || tenant.value().equals(request.tenant()));
	}

	@Bean
	SecurityFilterChain filters(HttpSecurity http) throws Exception {
		return http.authorizeHttpRequests((requests) -> requests
			// A stream was admitted when it was opened.
			.dispatcherTypeMatchers(DispatcherType.ASYNC, DispatcherType.ERROR)
			.permitAll()
			.anyRequest()
			.authenticated())
			.formLogin((login) -> login.defaultSuccessUrl("/", true))
			.logout(withDefaults())
			// A script gets the status 401: the login page is of no use to it.
			.exceptionHandling((errors) -> errors
				.defaultAuthenticationEntryPointFor(new HttpStatusEntryPoint(HttpStatus.UNAUTHORIZED),
						PathPatternRequestMatcher.withDefaults().matcher("/eventing/**"))
				.defaultAuthenticationEntryPointFor(new HttpStatusEntryPoint(HttpStatus.UNAUTHORIZED),
						PathPatternRequestMatcher.withDefaults().matcher("/board")))
			.headers((headers) -> headers.contentSecurityPolicy((policy) -> policy.policyDirectives(CONTENT)))
			.build();
	}

	@Bean
	UserDetailsService users(DashboardProperties properties) {
		if (properties.password().isEmpty()) {
			throw new IllegalStateException("No password is set. Consider the property 'dashboard.password'.");
		}
		PasswordEncoder encoder = PasswordEncoderFactories.createDelegatingPasswordEncoder();
		return new InMemoryUserDetailsManager(House.ALL.stream()
			.map((house) -> User.withUsername(house.user())
				.password(properties.password())
				.passwordEncoder(encoder::encode)
				.roles("STAFF")
				.build())
			.toArray(UserDetails[]::new));
	}

}
