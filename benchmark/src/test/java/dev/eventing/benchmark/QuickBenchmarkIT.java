package dev.eventing.benchmark;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;

import dev.eventing.benchmark.report.Ratios;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** The whole benchmark, with few events. */
class QuickBenchmarkIT {

	@TempDir
	private Path directory;

	private final StringWriter out = new StringWriter();

	private final StringWriter err = new StringWriter();

	@Test
	void measuresAllThatNeedsNoPeersAndChecksWhatWasDone() throws Exception {
		assertThat(run("--tiny", "--output=" + this.directory)).as(this.err.toString()).isZero();
		JsonNode json = JsonMapper.shared().readTree(Files.readString(this.directory.resolve("results.json")));
		json.get("ratios")
			.properties()
			.forEach((ratio) -> assertThat(ratio.getValue().isNumber()).as(ratio.getKey())
				.isEqualTo(!Ratios.OF_PEERS.contains(ratio.getKey())));
		assertThat(json.get("cases")).isNotEmpty()
			.allSatisfy((each) -> assertThat(each.get("eventsPerSecond").asLong()).isPositive())
			.filteredOn((each) -> each.get("contender").asString().equals("sdk-plain"))
			.isNotEmpty()
			.allSatisfy((each) -> assertThat(each.get("cpuVsHandWritten").asDouble()).isPositive());
		assertThat(this.directory.resolve("results.svg")).isNotEmptyFile();
		assertThat(this.out.toString()).contains("latencyP99Ms", "batchCpuVsHandWritten", "CPU us/event");
	}

	@Test
	void refusesWhatItDoesNotKnow() {
		assertThat(run("--fast")).isEqualTo(2);
		assertThat(run("--only=projectors")).isEqualTo(2);
		assertThat(run("--jfr=nobody")).isEqualTo(2);
		assertThat(run("--rounds=0")).isEqualTo(2);
		assertThat(this.err.toString()).contains("'projectors'", "'nobody'", "Usage: benchmark/run");
	}

	@Test
	void listsWhatThereIsWithoutMeasuring() {
		assertThat(run("--list")).isZero();
		assertThat(this.out.toString()).contains("handwritten-single", "sdk-relay", "v7-most", "relay-at-5000",
				"live-view-footprint");
	}

	private int run(String... arguments) {
		return new CommandLine(new BenchmarkCommand()).setOut(new PrintWriter(this.out, true))
			.setErr(new PrintWriter(this.err, true))
			.execute(arguments);
	}

}
