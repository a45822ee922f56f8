package dev.eventing.samples.benchmark.report;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

import javax.xml.parsers.DocumentBuilderFactory;

import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

class ResultsTests {

	private final Results results = Samples.of(
			Samples.ofSpeeds(Ratios.PROJECTOR, "handwritten-single", 900, 1000, 1100),
			Samples.ofSpeeds(Ratios.PROJECTOR, "handwritten-batch-2", 9_000, 8_000, 12_000),
			Samples.ofSpeeds(Ratios.PROJECTOR, "sdk-plain", 20_000, 11_000, 12_000), Samples.ofLatencies(9.5, 60));

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
				"batchHandlerVsSetBased", "relayVsBarePublish", "relayVsDebezium", "storeFedVsStreamFed",
				"grown10MVsEmpty", "latencyP50Ms", "latencyP99Ms");
		assertThat(json.get("ratios").get("relayVsDebezium").isNull()).isTrue();
		assertThat(json.propertyNames()).contains("machine", "versions", "settings", "cases");
		assertThat(json.get("cases")).hasSize(4)
			.allSatisfy((each) -> assertThat(each.propertyNames()).contains("events", "seconds", "eventsPerSecond",
					"p50Ms", "p99Ms", "cpuSeconds", "serverCpuSeconds", "peakHeapMb"));
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

	private Ratio ratio(String name) {
		return this.ratios.stream().filter((ratio) -> ratio.name().equals(name)).findFirst().orElseThrow();
	}

}
