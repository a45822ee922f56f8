package dev.eventing.samples.orders.demo;

import org.springframework.boot.security.autoconfigure.SecurityProperties;
import org.springframework.context.annotation.Profile;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/**
 * Where the console is, and who gets in: one user, with a password that Boot makes for
 * each run. All the rest is what Spring Security does by itself: each page wants a login,
 * and each change its token.
 */
@Component
@Profile("console")
class ConsoleAddress {

	private final Environment environment;

	private final SecurityProperties security;

	ConsoleAddress(Environment environment, SecurityProperties security) {
		this.environment = environment;
		this.security = security;
	}

	@Override
	public String toString() {
		return """
				dead letters are at http://127.0.0.1:%s%s/
				  log in as '%s' with the password '%s'
				""".formatted(this.environment.getRequiredProperty("local.server.port"),
				this.environment.getProperty("eventing.console.path", "/eventing/console"),
				this.security.getUser().getName(), this.security.getUser().getPassword());
	}

}
