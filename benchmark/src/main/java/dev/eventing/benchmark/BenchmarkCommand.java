package dev.eventing.benchmark;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;

import dev.eventing.benchmark.harness.BenchmarkRun;
import dev.eventing.benchmark.harness.Catalogue;
import dev.eventing.benchmark.harness.Profile;
import dev.eventing.benchmark.harness.Scale;
import dev.eventing.benchmark.report.Ratio;
import dev.eventing.benchmark.report.Ratios;
import dev.eventing.benchmark.report.Results;
import dev.eventing.benchmark.report.ResultsJson;
import dev.eventing.benchmark.report.ResultsPlot;
import dev.eventing.benchmark.report.ResultsText;
import dev.eventing.benchmark.sdk.SdkProjector;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line. */
@Command(name = "benchmark/run", mixinStandardHelpOptions = true, usageHelpAutoWidth = true,
		description = { "Measures the SDK beside loops written by hand, and beside its peers if they were built.",
				"NATS and PostgreSQL are started for this run and leave nothing behind.", "" },
		footer = { "", "Leaves results.json and results.svg in benchmark/target.",
				"Ends with 0, with 1 if the run failed, with 2 if the arguments are wrong." })
final class BenchmarkCommand implements Callable<Integer> {

	@Spec
	private @Nullable CommandSpec spec;

	@Option(names = "--quick",
			description = "all of it within a minute, with short rounds and without peers; figures say little")
	private boolean quick;

	@Option(names = "--tiny", hidden = true, description = "seconds; shows that all works")
	private boolean tiny;

	@Option(names = "--only", split = ",", paramLabel = "COMPARISON", description = "these comparisons alone")
	private Set<String> only = new LinkedHashSet<>();

	@Option(names = "--contenders", split = ",", paramLabel = "CONTENDER", description = "these contenders alone")
	private Set<String> contenders = new LinkedHashSet<>();

	@Option(names = "--rounds", paramLabel = "N",
			description = "rounds that count, 1 or more (3; 5 with --only=projector)")
	private @Nullable Integer rounds;

	@Option(names = "--jfr", paramLabel = "CONTENDER",
			description = "record this contender's rounds as CONTENDER.jfr beside the results")
	private @Nullable String profiled;

	@Option(names = "--list", description = "list comparisons and contenders, and measure nothing")
	private boolean list;

	@Option(names = "--output", hidden = true, paramLabel = "DIRECTORY", description = "where results go")
	private Path output = Path.of("target");

	@Override
	public Integer call() throws Exception {
		PrintWriter out = command().commandLine().getOut();
		check();
		if (this.list) {
			Catalogue.lines(scale()).forEach(out::println);
			out.flush();
			return 0;
		}
		Files.createDirectories(this.output);
		BenchmarkRun run = new BenchmarkRun(scale(), this.only, this.contenders,
				new Profile(this.profiled, this.output), out);
		Results results = run.run();
		List<Ratio> ratios = Ratios.of(results, SdkProjector.defaultLanes());
		write(results, ratios);
		ResultsText.lines(results, ratios, !scale().brief()).forEach(out::println);
		out.flush();
		return isComplete(ratios) ? 0 : 1;
	}

	/** Where all of it was to be measured, what only peers can give may be missing. */
	private boolean isComplete(List<Ratio> ratios) {
		boolean all = this.only.isEmpty() && this.contenders.isEmpty();
		List<String> missing = ratios.stream()
			.filter((ratio) -> all && ratio.value() == null && !Ratios.OF_PEERS.contains(ratio.name()))
			.map(Ratio::name)
			.toList();
		if (!missing.isEmpty()) {
			command().commandLine().getErr().println("results.json lacks " + missing + ".");
		}
		return missing.isEmpty();
	}

	private CommandSpec command() {
		if (this.spec == null) {
			throw new IllegalStateException("picocli sets it");
		}
		return this.spec;
	}

	private Scale scale() {
		Scale scale = this.tiny ? Scale.tiny() : this.quick ? Scale.quick() : Scale.full();
		return (this.rounds != null) ? scale.withRounds(this.rounds) : scale.of(this.only);
	}

	private void check() {
		if (this.rounds != null && this.rounds < 1) {
			throw wrong("--rounds takes 1 or more, not '" + this.rounds + "'");
		}
		Set<String> comparisons = Catalogue.comparisons(scale());
		this.only.stream().filter((name) -> !comparisons.contains(name)).findFirst().ifPresent((name) -> {
			throw wrong("There is no comparison '" + name + "'; there are " + String.join(", ", comparisons));
		});
		Set<String> known = Catalogue.contenders(scale());
		Set<String> asked = new LinkedHashSet<>(this.contenders);
		if (this.profiled != null) {
			asked.add(this.profiled);
		}
		asked.stream().filter((id) -> !known.contains(id)).findFirst().ifPresent((id) -> {
			throw wrong("There is no contender '" + id + "'; --list shows all");
		});
	}

	private ParameterException wrong(String message) {
		return new ParameterException(command().commandLine(), message);
	}

	private void write(Results results, List<Ratio> ratios) throws IOException {
		Files.writeString(this.output.resolve("results.json"), ResultsJson.of(results, ratios));
		Files.writeString(this.output.resolve("results.svg"), ResultsPlot.of(results));
	}

}
