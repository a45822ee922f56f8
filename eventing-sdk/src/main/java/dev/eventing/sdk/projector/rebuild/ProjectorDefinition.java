package dev.eventing.sdk.projector.rebuild;

import java.util.List;
import java.util.stream.Collectors;

import dev.eventing.sdk.projection.ledger.GenerationLedger.Code;
import dev.eventing.sdk.projection.ledger.RowsOfGenerations;
import dev.eventing.sdk.projector.HandlerMethod;
import dev.eventing.sdk.projector.OrderingKey;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.TableScript;
import org.jspecify.annotations.Nullable;

/**
 * What a projector handles, as text: subjects, types and the key. Two versions of an
 * application with equal definitions fill a read model together. The handlers' code is
 * not in it.
 */
public final class ProjectorDefinition {

	private ProjectorDefinition() {
	}

	/** The tables and events of the projector's code. */
	static Code code(ProjectorEndpoint endpoint) {
		return new Code(endpoint.readModel().version(), of(endpoint), List.copyOf(endpoint.readModel().tables()));
	}

	/** Of the script that creates the tables; null if the code has none. */
	static @Nullable String scriptChecksum(ProjectorEndpoint endpoint) {
		TableScript script = endpoint.readModel().script();
		return (script != null) ? script.checksum() : null;
	}

	/** The text. */
	public static String of(ProjectorEndpoint endpoint) {
		String handled = endpoint.handlers()
			.stream()
			.map(ProjectorDefinition::of)
			.sorted()
			.collect(Collectors.joining("; "));
		String key = endpoint.options().settings().key();
		OrderingKey code = endpoint.key();
		return handled + "; " + endpoint.setting(ProjectorSettings::ordering)
				+ ((code != null) ? " by " + byCode(code) : (key != null) ? " by " + key : "")
				+ (endpoint.readsEventStore() ? "" : " from JetStream")
				+ ((endpoint.readModel().rows() != null) ? RowsOfGenerations.MARK : "");
	}

	/** With another answer, events go to other lanes. */
	private static String byCode(OrderingKey code) {
		return (code.ofAll() != null) ? "one key per tenant" : "code";
	}

	private static String of(HandlerMethod handler) {
		return handler.subject().filter() + " "
				+ handler.payloadTypes().keySet().stream().sorted().collect(Collectors.joining(", "));
	}

}
