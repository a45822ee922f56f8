package dev.eventing.samples.dashboard;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.EnableConfigurationProperties;

/**
 * The application. It has two profiles, which run in two processes of the same database:
 * {@code projector} keeps the live view, {@code web} serves the page.
 */
@SpringBootApplication
@EnableConfigurationProperties(DashboardProperties.class)
public class DashboardApplication {

	/**
	 * Runs it with the servers that its properties name.
	 * @param args {@code --spring.profiles.active=web} or {@code projector}, and further
	 * properties
	 */
	public static void main(String[] args) {
		SpringApplication.run(DashboardApplication.class, args);
	}

	/** An application that can be run with a profile. */
	public static SpringApplicationBuilder withProfile(String profile) {
		return new SpringApplicationBuilder(DashboardApplication.class).profiles(profile);
	}

}
