package dev.eventing.sdk.projector.rebuild;

import java.util.List;
import java.util.stream.Collectors;

import dev.eventing.sdk.projection.ledger.GenerationLedger.Code;
import dev.eventing.sdk.projection.ledger.GenerationLedger.Live;
import dev.eventing.sdk.projection.ledger.RowsOfGenerations;
import dev.eventing.sdk.projector.HandlerMethod;
import dev.eventing.sdk.projector.OrderingKey;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ReadModel;
import dev.eventing.sdk.projector.StateForm;
import dev.eventing.sdk.projector.TableScript;
import org.jspecify.annotations.Nullable;

/**
 * What a projector handles, as text: subjects, types and the key, and the form of its
 * states, if its read model has any. Two versions of an application with equal
 * definitions fill a read model together. The handlers' code is not in it.
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
				+ (endpoint.readsEventStore() ? "" : " from JetStream") + states(endpoint.readModel())
				+ ((endpoint.readModel().rows() != null) ? RowsOfGenerations.MARK : "");
	}

	private static String states(ReadModel readModel) {
		StateForm states = readModel.states();
		return (states != null) ? states.inDefinition() : "";
	}

	/** The text without the form of states, which two versions need not share. */
	static String ofEvents(ProjectorEndpoint endpoint) {
		return StateForm.without(of(endpoint));
	}

	/**
	 * Why code of the version that feeds a live generation may not change its states;
	 * null if it may. One that is being filled is emptied, and filled with the states of
	 * the code.
	 */
	static @Nullable String otherStates(ProjectorEndpoint code, Live live) {
		String difference = live.isFilling() ? null
				: StateForm.difference(code.readModel().states(), live.code().definition());
		if (difference == null) {
			return null;
		}
		int version = live.code().version();
		return "The states of generation " + live.generation() + " of projector '" + code.id()
				+ "' have another form than in version " + version + " of this node's code: the code " + difference
				+ ". Consider version " + (version + 1)
				+ " for the changed class, beside the former one, and a rebuild.";
	}

	/** What code does that has another text, as the rest of a sentence. */
	static String change(String now, String before) {
		return StateForm.without(now).equals(StateForm.without(before)) ? "has other states" : "handles something else";
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
