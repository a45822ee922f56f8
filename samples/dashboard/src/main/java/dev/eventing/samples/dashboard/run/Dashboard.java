package dev.eventing.samples.dashboard.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import dev.eventing.samples.dashboard.DashboardApplication;
import dev.eventing.samples.dashboard.desk.Desks;
import dev.eventing.samples.dashboard.house.House;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Runs the sample: NATS and PostgreSQL, the web application in this process, and the
 * projector in another one.
 */
public final class Dashboard {

	private final DashboardOptions options;

	private final String password = UUID.randomUUID().toString().substring(0, 8);

	private final Servers servers;

	private final ProjectorProcess projector;

	private Dashboard(DashboardOptions options, Servers servers) {
		this.options = options;
		this.servers = servers;
		this.projector = new ProjectorProcess(servers.arguments(), options.files().resolve("projector.log"));
	}

	/**
	 * Runs it.
	 * @param args see {@link DashboardOptions}
	 */
	public static void main(String[] args) throws IOException {
		DashboardOptions options = DashboardOptions.of(List.of(args));
		Optional<String> missing = options.once() ? Browser.missing() : Optional.empty();
		if (missing.isPresent()) {
			System.err.println("There is no browser to look with. " + missing.get());
			System.exit(1);
		}
		Files.createDirectories(options.files());
		// The servers start before the application has set up its own logging.
		LoggingSystem.get(Dashboard.class.getClassLoader()).beforeInitialize();
		try {
			new Dashboard(options, Servers.start()).run();
		}
		catch (RuntimeException ex) {
			System.err.println("It failed; the logs and a picture are in " + options.files());
			ex.printStackTrace();
			System.exit(1);
		}
		if (options.once()) {
			System.exit(0);
		}
	}

	private void run() {
		// Once the context is closed, also by Ctrl-C.
		SpringApplication.getShutdownHandlers().add(this::end);
		ConfigurableApplicationContext web = DashboardApplication.withProfile("web").run(webArguments());
		this.projector.start();
		String url = "http://127.0.0.1:" + web.getEnvironment().getRequiredProperty("local.server.port") + "/";
		System.out.println("reservations of two houses are live at " + url);
		for (House house : House.ALL) {
			System.out.printf("  log in as '%s' with the password '%s' for %s%n", house.user(), this.password,
					house.title());
		}
		if (this.options.once()) {
			new BoardCheck(web.getBean(StoredBoards.class), web.getBean(Desks.class), failures(),
					this.options.files().resolve("pictures"), System.out::println)
				.run(url, this.password);
		}
	}

	private String[] webArguments() {
		List<String> arguments = new ArrayList<>(this.servers.arguments());
		arguments.add("--server.port=" + (this.options.once() ? 0 : this.options.port()));
		arguments.add("--dashboard.events-per-second=" + this.options.eventsPerSecond());
		arguments.add("--dashboard.password=" + this.password);
		Path log = this.options.files().resolve("web.log");
		// What fails on purpose need not be read on the console.
		arguments.add("--logging.threshold.console=OFF");
		arguments.add("--logging.file.name=" + log);
		return arguments.toArray(String[]::new);
	}

	private List<Failure> failures() {
		return List.of(new Failure("the projector's process", this.projector::kill, this.projector::start),
				new Failure("NATS", this.servers.nats()::kill, this.servers.nats()::restart),
				new Failure("PostgreSQL", this.servers.postgres()::kill, this.servers.postgres()::restart));
	}

	private void end() {
		this.projector.close();
		this.servers.close();
	}

}
