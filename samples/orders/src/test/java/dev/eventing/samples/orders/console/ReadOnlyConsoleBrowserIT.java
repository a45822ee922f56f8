package dev.eventing.samples.orders.console;

import java.nio.file.Path;
import java.util.UUID;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

import static dev.eventing.samples.orders.console.Console.BILLING;
import static org.assertj.core.api.Assertions.assertThat;

/** The console without a login, of an application that has done nothing yet. */
@Tag("browser")
class ReadOnlyConsoleBrowserIT {

	private static Console console;

	private static Browser browser;

	@BeforeAll
	static void start() {
		console = new Console(EverybodyWelcome.class);
		browser = Browser.start();
	}

	@AfterAll
	static void stop() {
		browser.close();
		console.close();
	}

	@BeforeEach
	void clear() {
		console.clear();
	}

	@Test
	void onlyShowsLettersAndSaysWhy() {
		UUID letterId = console.letter(BILLING, "acme", "A-1", "AccountClosedException");
		browser.openConsole(console.url() + "?letter=" + letterId);
		browser.await("#detail-title");
		assertThat(browser.text("#read-only")).contains("no user is logged in");
		for (String button : new String[] { "#redrive-one", "#discard-one", "#edit-one", "#redrive-all",
				"#discard-all" }) {
			assertThat(browser.run("return document.querySelector(arguments[0]).disabled", button)).as(button)
				.isEqualTo(true);
		}
		browser.press("x");
		assertThat(browser.await("#problem").getText()).contains("no user is logged in");
		Object refused = browser.run("""
				return fetch('api/session').then((answer) => answer.json()).then((session) => fetch('api/discard', {
					method: 'POST', body: '{"all": true, "reason": "a test"}',
					headers: { 'Content-Type': 'application/json', 'X-Eventing-Console': '1',
						[session.token.header]: session.token.value }
				})).then((answer) => answer.json())
				.then((problem) => problem.status + ' ' + problem.error)""");
		assertThat(refused).isEqualTo("403 WRITE_REFUSED");
		assertThat(console.status(letterId)).isEqualTo("PARKED");
	}

	@Test
	void saysThatAllIsWell() {
		browser.openConsole(console.url());
		Awaitility.await().untilAsserted(() -> assertThat(browser.text("#empty")).contains("No dead letters"));
		assertThat(browser.text("#chart-text")).isEqualTo("No letters in this time");
		assertThat(browser.has("#letters")).isFalse();
		browser.picture(Path.of("target", "console", "empty-light.png"));
	}

	@Configuration(proxyBeanMethods = false)
	static class EverybodyWelcome {

		@Bean
		SecurityFilterChain filters(HttpSecurity http) throws Exception {
			return http.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll()).build();
		}

	}

}
