package dev.eventing.benchmark.startup;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

import dev.eventing.benchmark.measure.Spread;
import dev.eventing.sdk.test.server.NatsServer;
import dev.eventing.sdk.test.server.PostgresServer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line: trains archives, then starts all applications in turns. */
@Command(name = "benchmark/startup", mixinStandardHelpOptions = true, usageHelpAutoWidth = true, description = {
		"Measures the time from the start of a JVM to the first event: of samples/quickstart until its row is",
		"committed, of an application with one listener of spring-kafka until it is given the record. The event",
		"waits before the JVM starts. The servers are started for this run and leave nothing behind.", "" },
		footer = { "", "Ends with 0, with 1 if the run failed, with 2 if the arguments are wrong." })
final class StartupCommand implements Callable<Integer> {

	@Spec
	private @Nullable CommandSpec spec;

	@Option(names = "--java", paramLabel = "HOME",
			description = "a JDK to measure with, 17 or later; may be repeated (the JDK that runs this)")
	private List<Path> homes = new ArrayList<>();

	@Option(names = "--jvm", paramLabel = "OPTION",
			description = "an option of all JVMs that are measured, such as -XX:TieredStopAtLevel=1; may be repeated")
	private List<String> options = new ArrayList<>();

	@Option(names = "--rounds", paramLabel = "N", description = "starts of each, 1 or more (${DEFAULT-VALUE})")
	private int rounds = 9;

	@Option(names = "--quickstart", hidden = true, required = true, paramLabel = "CLASSPATH")
	private String quickstart = "";

	@Option(names = "--spring-kafka", hidden = true, required = true, paramLabel = "CLASSPATH")
	private String springKafka = "";

	@Option(names = "--broker", hidden = true, required = true, paramLabel = "CLASSPATH")
	private String broker = "";

	@Option(names = "--output", hidden = true, paramLabel = "DIRECTORY", description = "where archives and logs go")
	private Path output = Path.of("target");

	@Override
	public Integer call() throws Exception {
		List<Jdk> jdks = jdks();
		Path directory = Files.createDirectories(this.output.resolve("startup").toAbsolutePath());
		try (NatsServer nats = NatsServer.start();
				PostgresServer postgres = PostgresServer.start(Quickstart.POSTGRES_SETTINGS);
				Quickstart sdk = new Quickstart(this.quickstart, nats, postgres);
				ListenerApplication peer = new ListenerApplication(this.springKafka, this.broker, jdks.get(0),
						directory.resolve("broker.log"))) {
			sdk.create(jdks.get(0));
			List<Case> cases = new ArrayList<>();
			for (Jdk jdk : jdks) {
				for (Sharing sharing : jdk.sharings()) {
					cases.add(new Case(sdk, jdk, sharing, this.options, directory));
					cases.add(new Case(peer, jdk, sharing, this.options, directory));
				}
			}
			measure(cases);
		}
		return 0;
	}

	/** In turns, so that what slows the machine for a while does so for all. */
	private void measure(List<Case> cases) throws IOException, InterruptedException {
		for (Case one : cases) {
			one.train();
		}
		print("%d processors, load %.2f%n", Runtime.getRuntime().availableProcessors(), load());
		for (int round = 0; round < this.rounds; round++) {
			for (Case one : cases) {
				one.measure();
			}
		}
		print("load %.2f after %d starts of each; ms from the start of the JVM to the first event applied%n", load(),
				this.rounds);
		print("  %-38s %8s %8s %8s %10s%n", "", "median", "smallest", "largest", "processor");
		for (Case one : cases) {
			Spread taken = one.taken();
			print("  %-38s %8.0f %8.0f %8.0f %10.0f%n", one.name(), taken.median(), taken.min(), taken.max(),
					one.processor().median());
		}
	}

	private List<Jdk> jdks() {
		if (this.rounds < 1) {
			throw new ParameterException(command().commandLine(),
					"--rounds takes 1 or more, not '" + this.rounds + "'");
		}
		List<Path> wanted = this.homes.isEmpty() ? List.of(Path.of(System.getProperty("java.home"))) : this.homes;
		try {
			return wanted.stream().map(Jdk::of).toList();
		}
		catch (IllegalArgumentException ex) {
			throw new ParameterException(command().commandLine(), String.valueOf(ex.getMessage()));
		}
	}

	private void print(String format, Object... values) {
		PrintWriter out = command().commandLine().getOut();
		out.printf(Locale.ROOT, format, values);
		out.flush();
	}

	private static double load() {
		return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
	}

	private CommandSpec command() {
		if (this.spec == null) {
			throw new IllegalStateException("picocli sets it");
		}
		return this.spec;
	}

}
