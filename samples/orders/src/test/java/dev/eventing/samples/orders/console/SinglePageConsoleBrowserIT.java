package dev.eventing.samples.orders.console;

import java.util.UUID;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

import static dev.eventing.samples.orders.console.Console.BILLING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.config.Customizer.withDefaults;

/**
 * The console of an application whose Spring Security is configured for single-page
 * applications: it takes the token of its cookie.
 */
@Tag("browser")
class SinglePageConsoleBrowserIT {

	private static Console console;

	private static Browser browser;

	@BeforeAll
	static void logIn() {
		console = new Console(ForSinglePages.class);
		browser = console.logIn();
	}

	@AfterAll
	static void stop() {
		browser.close();
		console.close();
	}

	@Test
	void changesLetters() {
		UUID letterId = console.letter(BILLING, "acme", "A-1", "AccountClosedException");
		browser.openConsole(console.url() + "?projector=" + BILLING + "&letter=" + letterId);
		browser.click("#discard-one");
		browser.type("#confirm-reason", "paid by hand");
		browser.click("#confirm-yes");
		Awaitility.await().untilAsserted(() -> assertThat(console.status(letterId)).isEqualTo("DISCARDED"));
		assertThat(console.audit(letterId)).containsExactly("DISCARDED by operator paid by hand");
	}

	@Configuration(proxyBeanMethods = false)
	static class ForSinglePages {

		@Bean
		SecurityFilterChain filters(HttpSecurity http) throws Exception {
			return http.authorizeHttpRequests((requests) -> requests.anyRequest().authenticated())
				.formLogin(withDefaults())
				.csrf((csrf) -> csrf.spa())
				.build();
		}

	}

}
