package dev.eventing.soak.node;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.ProjectorStatus;
import dev.eventing.sdk.relay.Relays;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * The status line of a node: the worst health of projectors and relays, then each of them
 * with its state, then how many duplicates it met.
 */
final class StatusLine {

	/** Begins the line, to set it apart from the log. */
	static final String MARK = "#status ";

	private final Map<String, HealthIndicator> health;

	private final ProjectorRegistry projectors;

	private final Relays relays;

	StatusLine(ConfigurableApplicationContext context) {
		this.health = new TreeMap<>(context.getBeansOfType(HealthIndicator.class));
		// That asks the database itself; here the SDK is asked what it has found out.
		this.health.keySet().removeIf((name) -> !name.startsWith("eventing"));
		this.projectors = context.getBean(ProjectorRegistry.class);
		this.relays = context.getBean(Relays.class);
	}

	String now() {
		try {
			long duplicates = this.projectors.status()
				.stream()
				.mapToLong((status) -> status.counts().duplicates())
				.sum();
			return MARK + worst() + " " + duplicates + " "
					+ this.projectors.status().stream().map(StatusLine::word).collect(Collectors.joining(",")) + ","
					+ this.relays.status()
						.stream()
						.map((status) -> status.relay() + "=" + status.state())
						.collect(Collectors.joining(","));
		}
		catch (RuntimeException ex) {
			return MARK + "UNKNOWN 0 " + ex.getClass().getName();
		}
	}

	private static String word(ProjectorStatus status) {
		return status.projector() + "=" + status.state();
	}

	/** Degraded is about letters that wait for their stream, which this has none of. */
	private String worst() {
		for (HealthIndicator indicator : this.health.values()) {
			Health now = indicator.health(false);
			String code = (now != null) ? now.getStatus().getCode() : "UNKNOWN";
			if (!code.equals("UP") && !code.equals("DEGRADED")) {
				return code;
			}
		}
		return "UP";
	}

}
