package dev.eventing.benchmark.harness;

import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.sun.management.OperatingSystemMXBean;
import dev.eventing.benchmark.handwritten.BatchLoop;
import dev.eventing.benchmark.measure.Case;
import dev.eventing.benchmark.report.Results;
import dev.eventing.benchmark.sdk.SdkProjector;
import dev.eventing.sdk.projector.ProjectorOptions;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.relay.RelayOptions;

/**
 * The environment of a run, which is shown beside the figures.
 *
 * @param machine what it ran on
 * @param versions of what took part
 * @param settings how it was measured
 */
record BenchmarkEnvironment(Map<String, Object> machine, Map<String, Object> versions, Map<String, Object> settings) {

	private static final long MEGABYTE = 1 << 20;

	static BenchmarkEnvironment of(Bench bench, Scale scale) {
		return new BenchmarkEnvironment(thisMachine(), versions(bench), settings(scale));
	}

	Results with(List<Case> cases) {
		return new Results(this.machine, this.versions, this.settings, cases);
	}

	private static Map<String, Object> thisMachine() {
		OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
		Map<String, Object> machine = new LinkedHashMap<>();
		machine.put("os", system.getName() + " " + system.getArch());
		machine.put("processors", system.getAvailableProcessors());
		machine.put("memoryMb", system.getTotalMemorySize() / MEGABYTE);
		machine.put("maxHeapMb", Runtime.getRuntime().maxMemory() / MEGABYTE);
		machine.put("collectors",
				ManagementFactory.getGarbageCollectorMXBeans()
					.stream()
					.map((collector) -> collector.getName())
					.toList());
		return machine;
	}

	private static Map<String, Object> versions(Bench bench) {
		Map<String, Object> versions = new LinkedHashMap<>();
		versions.put("java", Runtime.version().toString());
		versions.put("natsServer", bench.nats().getServerInfo().getVersion());
		versions.put("postgresql", bench.databases().version());
		versions.put("jnats", io.nats.client.Nats.CLIENT_VERSION);
		versions.put("postgresqlJdbc", bench.databases().driverVersion());
		versions.put("spring", String.valueOf(org.springframework.core.SpringVersion.getVersion()));
		return versions;
	}

	private static Map<String, Object> settings(Scale scale) {
		ProjectorOptions projector = ProjectorOptions.of(ProjectorSettings.NONE);
		RelayOptions relay = RelayOptions.defaults();
		Map<String, Object> settings = new LinkedHashMap<>();
		settings.put("rounds", scale.rounds());
		settings.put("brief", scale.brief());
		settings.put("secondsPerRound", scale.roundSeconds());
		settings.put("backlog", scale.backlog());
		settings.put("rowsOfProcessedEvents", scale.grownRows());
		settings.put("poolSize", ProjectorRounds.POOL_SIZE);
		settings.put("handWrittenBatch", BatchLoop.BATCH_SIZE);
		settings.put("sdkLanes", SdkProjector.defaultLanes());
		settings.put("sdkBatchSize", projector.get(ProjectorSettings::batchSize));
		settings.put("sdkMaxAckPending", projector.get(ProjectorSettings::maxAckPending));
		settings.put("relayWindow", relay.bounds().events());
		settings.put("relayPageSize", relay.bounds().pageSize());
		settings.put("postgresql", Servers.POSTGRES_SETTINGS);
		return settings;
	}

}
