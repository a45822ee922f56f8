package dev.eventing.sdk.projector.inline;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import dev.eventing.sdk.WrongTransactionException;
import dev.eventing.sdk.event.EventReader;
import dev.eventing.sdk.event.Quoted;
import dev.eventing.sdk.projector.EventStoreAccess;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.store.AppendGuard;
import dev.eventing.sdk.store.AppendListener;
import dev.eventing.sdk.store.AppendedEvents;
import dev.eventing.sdk.store.PendingAppend;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcOperations;

/**
 * Runs the handlers of the inline projectors of this node inside each append, ordered by
 * the projectors' names. The guard says which: one of another version, or one that is not
 * inline now, is skipped. Does nothing on a node without inline projectors. Thread-safe.
 */
public final class InlineAppends implements AppendListener {

	/** The guard's answer above read committed. */
	private static final String TOO_OLD = "*";

	/**
	 * The trigger is called again for what other statements of the transaction insert.
	 * After another mark it is called for this statement, later, and needs the mark.
	 */
	private static final String END = """
			case when current_setting('eventing.inline', true) = '=' then set_config('eventing.inline', '', true) end""";

	private final JdbcOperations jdbc;

	private final EventingSchema schema;

	private final EventReader reader;

	private final EventStoreAccess store;

	private volatile Known known = new Known(List.of(), null);

	/**
	 * Knows no projector yet.
	 * @param jdbc uses the DataSource in whose transactions the store appends
	 */
	public InlineAppends(JdbcOperations jdbc, EventingSchema schema, EventReader reader, EventStoreAccess store) {
		this.jdbc = jdbc;
		this.schema = schema;
		this.reader = reader;
		this.store = store;
	}

	/** Adds a version of an inline projector; others are left out. */
	public synchronized void add(ProjectorEndpoint endpoint) {
		if (!endpoint.isInline()) {
			return;
		}
		List<InlineProjector> projectors = new ArrayList<>(this.known.projectors());
		projectors.add(new InlineProjector(endpoint, this.jdbc, this.reader, this.store));
		projectors.sort(Comparator.comparing(InlineProjector::name).thenComparing(InlineProjector::version));
		String codes = projectors.stream().map(InlineProjector::code).collect(Collectors.joining(","));
		this.known = new Known(List.copyOf(projectors),
				new AppendGuard("\"%s\".inline_guard('{%s}')".formatted(this.schema.name(), codes), END));
	}

	@Override
	public String name() {
		return "eventing-inline";
	}

	@Override
	public @Nullable AppendGuard beforeAppend(PendingAppend append) {
		return this.known.guard();
	}

	@Override
	public void appended(AppendedEvents append, @Nullable String guard) {
		if (TOO_OLD.equals(guard)) {
			throw new WrongTransactionException("The append to stream " + Quoted.of(append.streamId())
					+ " is in a transaction above read committed, where the status of inline projectors may be that of an"
					+ " old snapshot. Consider read committed for transactions that append: the expected version keeps"
					+ " streams consistent at each level.");
		}
		if (guard == null) {
			return;
		}
		Map<String, Long> turns = new HashMap<>();
		for (String each : guard.split(",", -1)) {
			int end = each.indexOf(':');
			turns.put(each.substring(0, end), Long.valueOf(each.substring(end + 1)));
		}
		for (InlineProjector projector : this.known.projectors()) {
			Long turn = turns.get(projector.code());
			if (turn != null) {
				projector.apply(append.events(), turn);
			}
		}
	}

	/**
	 * The inline projectors of this node.
	 *
	 * @param projectors in the order in which they are run
	 * @param guard asks which of them run; null if there are none
	 */
	private record Known(List<InlineProjector> projectors, @Nullable AppendGuard guard) {
	}

}
