package dev.eventing.sdk.store;

import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.NewerEventException;
import dev.eventing.sdk.event.PayloadBindingException;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.event.UnboundPayload;
import dev.eventing.sdk.store.EventVerification.Unbound;

/**
 * Reads every stored event with the present code, without any handler, and lists those
 * that no longer bind to the class of their type. Run it with the code that is about to
 * be deployed, before it takes its first event. Changes nothing. Thread-safe.
 */
public final class EventVerifier {

	private static final int PAGE = 500;

	private final EventLog log;

	private final Supplier<? extends Collection<? extends Map<String, ? extends Type>>> types;

	/**
	 * Reads nothing yet.
	 * @param log the events, with the upcasters of the application
	 * @param types the classes of events by the names of their types, such as
	 * {@link dev.eventing.sdk.event.PayloadTypes#byName}. A type may be in several of
	 * these maps with different classes: then its events must fit each.
	 */
	public EventVerifier(EventLog log, Supplier<? extends Collection<? extends Map<String, ? extends Type>>> types) {
		this.log = log;
		this.types = types;
	}

	/** As {@link #verify(EventVerificationOptions)}, with all events. */
	public EventVerification verify() {
		return verify(EventVerificationOptions.all());
	}

	/**
	 * Reads the events that are stored now, on the caller's thread. Takes as long as to
	 * read and to bind them, and memory for one page of them. Takes no lock, and does not
	 * wait for transactions that append meanwhile: what these commit later may not have
	 * been read.
	 * @throws UnsafePositionsException if row level security may hide events
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	public EventVerification verify(EventVerificationOptions options) {
		Pass pass = new Pass(this.types.get(), options);
		long head = this.log.head();
		long position = Math.max(0, options.from() - 1);
		while (position < head) {
			LogPageStatements.Rows page = this.log.stored(position, PAGE);
			page.events().forEach(pass::check);
			position = end(page, head);
			UnreadableEventException unreadable = page.unreadable();
			if (unreadable != null) {
				pass.note(unreadable);
				position = unreadable.position();
			}
			options.progress().accept(new EventVerificationOptions.Progress(pass.events, position, head));
		}
		return pass.result(position);
	}

	/** If the page is empty, the events up to the head were deleted meanwhile. */
	private static long end(LogPageStatements.Rows page, long head) {
		List<StoredEvent> events = page.events();
		return events.isEmpty() ? head : events.get(events.size() - 1).position();
	}

	/** One reading of the store. */
	private static final class Pass {

		private final Map<String, Set<Type>> classes = new TreeMap<>();

		private final Map<Group, Found> found = new LinkedHashMap<>();

		private final Set<String> unknown = new TreeSet<>();

		private final EventVerificationOptions options;

		private long events;

		Pass(Collection<? extends Map<String, ? extends Type>> types, EventVerificationOptions options) {
			this.options = options;
			types.forEach((each) -> each
				.forEach((name, type) -> this.classes.computeIfAbsent(name, (key) -> new LinkedHashSet<>()).add(type)));
		}

		void check(StoredEvent stored) {
			Event<UnboundPayload> event = stored.event();
			if (!isChosen(event.tenantId().value())) {
				return;
			}
			this.events++;
			Set<Type> known = this.classes.get(event.type());
			if (known == null) {
				this.unknown.add(event.type());
				return;
			}
			for (Type type : known) {
				Group group = new Group(event.type(), event.typeVersion(), type.getTypeName());
				try {
					event.payload().bindKept(type);
				}
				catch (PayloadBindingException | NewerEventException ex) {
					note(stored.position(), group, String.valueOf(ex.getMessage()));
				}
				catch (StackOverflowError ex) {
					note(stored.position(), group, "The payload is nested too deeply.");
				}
			}
		}

		void note(UnreadableEventException row) {
			if (isChosen(row.tenantId())) {
				this.events++;
				note(row.position(), new Group(row.type(), 0, "row"), String.valueOf(row.getMessage()));
			}
		}

		private boolean isChosen(String tenant) {
			TenantId only = this.options.tenantId();
			return only == null || only.value().equals(tenant);
		}

		private void note(long position, Group group, String problem) {
			Found before = this.found.get(group);
			List<Long> positions = new ArrayList<>((before != null) ? before.positions() : List.of());
			if (positions.size() < this.options.positions()) {
				positions.add(position);
			}
			this.found.put(group, (before != null) ? new Found(before.problem(), before.events() + 1, positions)
					: new Found(problem, 1, positions));
		}

		EventVerification result(long upTo) {
			List<Unbound> unbound = new ArrayList<>();
			this.found.forEach((group, each) -> unbound
				.add(new Unbound(group.type(), group.version(), each.problem(), each.events(), each.positions())));
			return new EventVerification(this.events, upTo, unbound, this.unknown);
		}

	}

	/** Messages name columns, so those of two events differ. The first one is kept. */
	private record Group(String type, int version, String target) {
	}

	private record Found(String problem, long events, List<Long> positions) {
	}

}
