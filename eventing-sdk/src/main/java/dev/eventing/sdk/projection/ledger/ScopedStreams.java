package dev.eventing.sdk.projection.ledger;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.eventing.sdk.deadletter.ledger.ScopeLetters;
import dev.eventing.sdk.deadletter.ledger.ScopeLetters.InStream;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.projection.RebuildScope;
import dev.eventing.sdk.projection.RequestRefusedException;
import dev.eventing.sdk.schema.EventingSchema;

import org.springframework.jdbc.core.JdbcOperations;

/** The streams that a part of a read model names. Runs in the caller's transaction. */
public final class ScopedStreams {

	private final ProjectorId projector;

	private final ScopeLetters letters;

	/** Sends no query yet. */
	public ScopedStreams(JdbcOperations jdbc, EventingSchema schema, ProjectorId projector) {
		this.projector = projector;
		this.letters = new ScopeLetters(jdbc, schema, projector);
	}

	/**
	 * Finds the streams, in an order that is always the same; empty for a tenant or a
	 * window.
	 * @throws RequestRefusedException if a letter is not one of the projector, or its
	 * event is not in the event store
	 */
	public List<InStream> of(RebuildScope scope) {
		if (scope instanceof RebuildScope.Streams streams) {
			return streams.streams().stream().sorted().map((each) -> new InStream(streams.tenant(), each)).toList();
		}
		return (scope instanceof RebuildScope.KeysOfLetters keys) ? ofLetters(keys) : List.of();
	}

	private List<InStream> ofLetters(RebuildScope.KeysOfLetters keys) {
		Map<UUID, InStream> found = this.letters.find(keys.letters());
		keys.letters().stream().filter((each) -> !found.containsKey(each)).findFirst().ifPresent((missing) -> {
			throw new RequestRefusedException(
					"Letter " + missing + " is no letter of projector '" + this.projector.base()
							+ "' whose event is in the event store. Consider those that the list of its "
							+ "dead letters shows.");
		});
		return found.values()
			.stream()
			.distinct()
			.sorted(Comparator.comparing((InStream each) -> each.tenant().value()).thenComparing(InStream::stream))
			.toList();
	}

}
