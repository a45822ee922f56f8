package dev.eventing.benchmark.startup;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.eventing.benchmark.measure.Spread;

/** One application on one JDK, which is started again and again. For one thread. */
final class Case {

	private static final Duration LIMIT = Duration.ofMinutes(2);

	private final Application application;

	private final Jdk jdk;

	private final Sharing sharing;

	private final List<String> options;

	private final Path archive;

	private final Path log;

	private final List<Start> starts = new ArrayList<>();

	/**
	 * Starts nothing yet.
	 * @param options options of the JVM in each start
	 * @param directory where the archive and the log of the application go
	 */
	Case(Application application, Jdk jdk, Sharing sharing, List<String> options, Path directory) {
		this.application = application;
		this.jdk = jdk;
		this.sharing = sharing;
		this.options = options;
		String name = application.name() + "-" + jdk.version() + "-" + sharing.label().replace(' ', '-');
		this.archive = directory.resolve(name + ".archive");
		this.log = directory.resolve(name + ".log");
	}

	/** Such as "quickstart, JDK 25.0.1, AOT cache". */
	String name() {
		return this.application.name() + ", JDK " + this.jdk.version() + ", " + this.sharing.label();
	}

	/** A start that does not count. It writes the archive for those that do. */
	void train() throws IOException, InterruptedException {
		Files.deleteIfExists(this.archive);
		start(this.sharing.training(this.archive));
		if (this.sharing.hasArchive() && !Files.exists(this.archive)) {
			throw new IOException("The run for '" + name() + "' wrote no archive. Consider its log: " + this.log);
		}
	}

	/** A start that counts. */
	void measure() throws IOException, InterruptedException {
		this.starts.add(start(this.sharing.using(this.archive)));
	}

	/** Milliseconds of the starts that count. */
	Spread taken() {
		return Spread.of(this.starts, (start) -> start.taken().toNanos() / 1e6);
	}

	/** Milliseconds of processor time of the starts that count, by all threads. */
	Spread processor() {
		return Spread.of(this.starts, (start) -> start.processor().toNanos() / 1e6);
	}

	private Start start(List<String> sharingOptions) throws IOException, InterruptedException {
		List<String> command = new ArrayList<>(List.of(this.jdk.java()));
		command.addAll(this.options);
		command.addAll(sharingOptions);
		command.addAll(this.application.arguments());
		ProcessBuilder builder = new ProcessBuilder(command).redirectError(this.log.toFile());
		this.application.send();
		Instant started = Instant.now();
		Process process = builder.start();
		CompletableFuture.delayedExecutor(LIMIT.toSeconds(), TimeUnit.SECONDS).execute(process::destroyForcibly);
		try (BufferedReader output = process.inputReader()) {
			Duration taken = Duration.between(started, this.application.awaitApplied(output));
			Duration processor = process.info().totalCpuDuration().orElse(Duration.ZERO);
			// Process.destroy would close the output, which the archive's writer uses.
			process.toHandle().destroy();
			process.waitFor();
			return new Start(taken, processor);
		}
		catch (IOException ex) {
			throw new IOException("'" + name() + "' failed. Consider its log: " + this.log, ex);
		}
		finally {
			process.destroyForcibly();
		}
	}

	/**
	 * One start.
	 *
	 * @param taken from before the process is made until its event is applied
	 * @param processor the time of processors until a moment later
	 */
	private record Start(Duration taken, Duration processor) {
	}

}
