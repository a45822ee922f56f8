package dev.eventing.benchmark.report;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

import javax.xml.parsers.DocumentBuilderFactory;

import dev.eventing.benchmark.measure.Case;
import dev.eventing.benchmark.report.Ratio.Target;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class ResultsTests {

	private final Results results = Samples.of(
			Samples.ofSpeeds(Ratios.PROJECTOR, "handwritten-single", 900, 1000, 1100),
			Samples.ofSpeeds(Ratios.PROJECTOR, "handwritten-batch-2", 9_000, 8_000, 12_000),
			Samples.ofSpeeds(Ratios.PROJECTOR, "sdk-plain", 20_000, 11_000, 12_000), Samples.ofLatencies(9.5, 60));

	private final Results ofMicros = Samples.of(
			Samples.ofMicros(Ratios.PROJECTOR, "sdk-plain", "handwritten-batch-2", 30, 22, 21),
			Samples.ofMicros(Ratios.PROJECTOR, "handwritten-batch-2", null, 20, 19, 40),
			Samples.ofMicros(Ratios.PROJECTOR, "sdk-deferred", "handwritten-batched-2", 12, 12, 12),
			Samples.ofMicros(Ratios.PROJECTOR, "handwritten-batched-2", null, 10, 10, 10),
			Samples.ofMicros(Ratios.PROJECTOR, "sdk-batch", "handwritten-set-2", 9, 9, 9));

	private final List<Ratio> ratios = Ratios.of(this.results, 2);

	@Test
	void ratiosAreOfMedians() {
		assertThat(ratio("plainVsSingleTx").value()).isEqualTo(12.0);
		assertThat(ratio("plainVsSingleTx").met()).isTrue();
	}

	@Test
	void loopsWithAsManyLanesAreComparedWith() {
		assertThat(ratio("plainVsHandWrittenBatch").value()).isEqualTo(12_000.0 / 9_000);
		assertThat(Ratios.of(this.results, 4).get(1).value()).isNull();
	}

	@Test
	void inlineIsTheLeastOfAllNumbersOfThreads() {
		Case loop = Samples.ofSpeeds(Ratios.INLINE, "handwritten-append-update-1", 100);
		Case inline = Samples.ofSpeeds(Ratios.INLINE, "sdk-inline-1", 90);
		Case loopOfFour = Samples.ofSpeeds(Ratios.INLINE, "handwritten-append-update-4", 300);
		Case inlineOfFour = Samples.ofSpeeds(Ratios.INLINE, "sdk-inline-4", 240);
		assertThat(value(Ratios.of(Samples.of(loop, inline, loopOfFour, inlineOfFour), 2), "inlineVsHandWritten"))
			.isEqualTo(0.8);
		assertThat(value(Ratios.of(Samples.of(loop, inline), 2), "inlineVsHandWritten")).isNull();
	}

	@Test
	void theHeapOfClientsIsShownWhereItWasMeasured() {
		Results results = Samples.of(Samples.ofFootprint(30_000, 1_500));
		assertThat(ResultsText.lines(results, List.of(), true))
			.anyMatch((line) -> line.matches(" +contender .*bytes/connection +bytes/key .*"))
			.anyMatch((line) -> line.matches(" +SDK .* 30,000 +1,500 .*"));
		JsonNode json = JsonMapper.shared().readTree(ResultsJson.of(results, List.of())).get("cases").get(0);
		assertThat(json.get("heapBytesPerConnection").asLong()).isEqualTo(30_000);
		assertThat(json.get("heapBytesPerKey").asLong()).isEqualTo(1_500);
		assertThat(ResultsText.lines(this.results, this.ratios, true))
			.noneMatch((line) -> line.contains("bytes/connection"));
	}

	@Test
	void latenciesAreToStayBelowTheirTargets() {
		assertThat(ratio("latencyP50Ms").met()).isTrue();
		assertThat(ratio("latencyP99Ms").met()).isFalse();
	}

	@Test
	void whatWasNotMeasuredIsNeitherMetNorMissed() {
		assertThat(ratio("relayVsDebezium").value()).isNull();
		assertThat(ratio("relayVsDebezium").met()).isNull();
	}

	@Test
	void jsonHasEveryRatioAndEveryFigureOfACase() {
		JsonNode json = JsonMapper.shared().readTree(ResultsJson.of(this.results, this.ratios));
		assertThat(json.get("ratios").propertyNames()).containsExactlyInAnyOrder("plainVsSingleTx",
				"plainVsHandWrittenBatch", "deferredVsSingleTx", "deferredVsHandWrittenBatched",
				"batchHandlerVsSetBased", "plainCpuVsHandWritten", "deferredCpuVsHandWritten", "batchCpuVsHandWritten",
				"relayVsBarePublish", "relayVsDebezium", "rebuildVsStoreFed", "rebuildDeferredVsHandWritten",
				"rebuildVsAxonReplay", "rebuildDeferredVsAxonReplay", "storeFedVsStreamFed", "grown10MVsEmpty",
				"latencyP50Ms", "latencyP99Ms", "latencyBesideBuildP99Ms", "inlineVsHandWritten",
				"upcastingVsPlainBuild", "liveViewVsNaive", "liveViewVsBatchHandler", "liveViewP50Ms", "liveViewP99Ms");
		assertThat(json.get("ratios").get("relayVsDebezium").isNull()).isTrue();
		assertThat(json.propertyNames()).contains("machine", "versions", "settings", "cases");
		assertThat(json.get("cases")).hasSize(4)
			.allSatisfy((each) -> assertThat(each.propertyNames()).contains("events", "seconds", "eventsPerSecond",
					"p50Ms", "p99Ms", "machineLateMs", "cpuSeconds", "serverCpuSeconds", "cpuMicrosPerEvent",
					"serverCpuMicrosPerEvent", "loopByHand", "cpuVsHandWritten", "serverCpuVsHandWritten",
					"peakHeapMb"));
	}

	@Test
	void ratiosOfProcessorTimeAreOfMediansPerEvent() {
		List<Ratio> ratios = Ratios.of(this.ofMicros, 2);
		assertThat(value(ratios, "plainCpuVsHandWritten")).isCloseTo(1.1, within(1e-9));
		assertThat(value(ratios, "deferredCpuVsHandWritten")).isCloseTo(1.2, within(1e-9));
		assertThat(value(ratios, "batchCpuVsHandWritten")).isNull();
	}

	@Test
	void processorTimeMayReachItsTarget() {
		assertThat(Target.atMost(1.1).isMetBy(1.1)).isTrue();
		assertThat(Target.atMost(1.1).isMetBy(1.11)).isFalse();
		assertThat(Target.atMost(1.1)).hasToString("<= 1.1");
	}

	@Test
	void aLoopThatUsedNothingIsNotComparedWith() {
		Results results = Samples.of(Samples.ofMicros(Ratios.PROJECTOR, "sdk-plain", "handwritten-batch-2", 22),
				Samples.ofMicros(Ratios.PROJECTOR, "handwritten-batch-2", null, 0));
		assertThat(value(Ratios.of(results, 2), "plainCpuVsHandWritten")).isNull();
	}

	@Test
	void jsonHasTheProcessorTimeOfTheLoopByHandBeside() {
		JsonNode cases = JsonMapper.shared()
			.readTree(ResultsJson.of(this.ofMicros, Ratios.of(this.ofMicros, 2)))
			.get("cases");
		assertThat(cases.get(0).get("cpuMicrosPerEvent").asDouble()).isEqualTo(22);
		assertThat(cases.get(0).get("loopByHand").asString()).isEqualTo("handwritten-batch-2");
		assertThat(cases.get(0).get("cpuVsHandWritten").asDouble()).isEqualTo(1.1);
		assertThat(cases.get(0).get("serverCpuVsHandWritten").asDouble()).isEqualTo(1.1);
		assertThat(cases.get(0).get("roundsCpuMicrosPerEvent")).extracting(JsonNode::asDouble)
			.containsExactly(30.0, 22.0, 21.0);
		assertThat(cases.get(1).get("cpuVsHandWritten").isNull()).isTrue();
	}

	@Test
	void theTableHasTheProcessorTimeOfTheLoopByHandBeside() {
		assertThat(ResultsText.lines(this.ofMicros, Ratios.of(this.ofMicros, 2), true))
			.anyMatch((line) -> line.matches(" +contender .*CPU us/event +/ by hand +server us/event +/ by hand .*"))
			.anyMatch((line) -> line.matches(" +sdk-plain .* 22\\.0 +1\\.10 +44\\.0 +1\\.10 .*"))
			.anyMatch((line) -> line.matches(".*deferredCpuVsHandWritten +1.20 +<= 1.1 +NOT MET"));
	}

	@Test
	void theTableOfNoLoopHasNoColumnsForIt() {
		assertThat(ResultsText.lines(this.results, this.ratios, true)).noneMatch((line) -> line.contains("/ by hand "))
			.anyMatch((line) -> line.contains("CPU us/event"));
	}

	@Test
	void theTableSaysWhetherTargetsAreMet() {
		assertThat(ResultsText.lines(this.results, this.ratios, true)).anyMatch((line) -> line.endsWith("NOT MET"))
			.anyMatch((line) -> line.matches(".*plainVsSingleTx +12.00 +>= 12 +met"))
			.anyMatch((line) -> line.matches(".*relayVsDebezium +- +>= 4 +not measured"));
	}

	@Test
	void theTableOfAShortRunJudgesNothing() {
		assertThat(ResultsText.lines(this.results, this.ratios, false))
			.noneMatch((line) -> line.endsWith("met") || line.endsWith("NOT MET"))
			.anyMatch((line) -> line.contains("not judged"));
	}

	@Test
	void thePlotIsWellFormedAndHasABarForEachCase() throws Exception {
		Document svg = DocumentBuilderFactory.newInstance()
			.newDocumentBuilder()
			.parse(new ByteArrayInputStream(ResultsPlot.of(this.results).getBytes(StandardCharsets.UTF_8)));
		assertThat(svg.getElementsByTagName("rect").getLength()).isEqualTo(4);
	}

	@Test
	void thePlotHasBarsOfProcessorTimeWhereThereAreLoopsByHand() {
		assertThat(ResultsPlot.of(this.ofMicros).split("<rect", -1)).hasSize(1 + 3 * this.ofMicros.cases().size());
		assertThat(ResultsPlot.of(this.ofMicros)).contains("CPU of the JVM", "CPU of the servers");
	}

	private static @Nullable Double value(List<Ratio> ratios, String name) {
		return ratios.stream().filter((ratio) -> ratio.name().equals(name)).findFirst().orElseThrow().value();
	}

	private Ratio ratio(String name) {
		return this.ratios.stream().filter((ratio) -> ratio.name().equals(name)).findFirst().orElseThrow();
	}

}
