package dev.eventing.sdk.liveview.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;

import dev.eventing.sdk.InvalidDeclarationException;
import dev.eventing.sdk.UnknownNameException;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.EventJsonMapper;
import dev.eventing.sdk.event.EventVersions;
import dev.eventing.sdk.event.PayloadClasses;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.liveview.InvalidLiveViewException;
import dev.eventing.sdk.liveview.LiveSnapshot;
import dev.eventing.sdk.liveview.LiveState;
import dev.eventing.sdk.liveview.LiveStateFormException;
import dev.eventing.sdk.liveview.LiveStateNotFoundException;
import dev.eventing.sdk.liveview.LiveViewDefinition;
import dev.eventing.sdk.liveview.LiveViewListener;
import dev.eventing.sdk.liveview.LiveViewOptions;
import dev.eventing.sdk.liveview.LiveViewSubscription;
import dev.eventing.sdk.liveview.LiveViews;
import dev.eventing.sdk.liveview.client.Following;
import dev.eventing.sdk.liveview.client.StateReader;
import dev.eventing.sdk.liveview.fold.ViewFold;
import dev.eventing.sdk.liveview.fold.ViewHandler;
import dev.eventing.sdk.liveview.frame.FramePublisher;
import dev.eventing.sdk.liveview.frame.FrameSubjects;
import dev.eventing.sdk.liveview.ledger.LiveStates;
import dev.eventing.sdk.liveview.ledger.LiveStates.Address;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorEndpoints;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.ProjectorSettingsSource;
import dev.eventing.sdk.projector.ReadModel;
import dev.eventing.sdk.worker.Stall;
import dev.eventing.sdk.worker.Watched;
import org.jspecify.annotations.Nullable;

/** The live views of this node, and of the database. Thread-safe. */
public final class LiveViewRegistry implements LiveViews, Watched, AutoCloseable {

	private final Projectors projectors;

	private final ViewTables tables;

	private final FramePublisher publisher;

	private final LiveViewOptions options;

	private final StateReader reader;

	private final Following following;

	/** By name and version of their code. */
	private final Map<String, NavigableMap<Integer, HandFold>> views = new ConcurrentSkipListMap<>();

	/**
	 * Sends no query yet.
	 * @param following follows states on behalf of subscribers
	 */
	public LiveViewRegistry(Projectors projectors, ViewTables tables, FramePublisher publisher, LiveViewOptions options,
			Following following) {
		this.projectors = projectors;
		this.tables = tables;
		this.publisher = publisher;
		this.options = options;
		this.reader = new StateReader(tables.states(), projectors.json().mapper());
		this.following = following;
	}

	@Override
	public void define(LiveViewDefinition<?> definition) {
		ViewFold<?> fold = new ViewFold<>(definition, this.projectors.json().mapper(), this.options.maxStateBytes());
		ViewHandler handler = new ViewHandler(fold, this.tables.states(), this.publisher);
		requireBindable(definition, fold);
		synchronized (this) {
			NavigableMap<Integer, HandFold> versions = this.views.getOrDefault(definition.name(), new TreeMap<>());
			requireNew(definition, versions);
			this.projectors.register(ViewEndpoint.of(definition, fold, handler, readModel(definition, fold),
					this.projectors.settings()));
			NavigableMap<Integer, HandFold> more = new TreeMap<>(versions);
			more.put(definition.version(), new HandFold(fold, handler, this.tables, this.reader));
			this.views.put(definition.name(), more);
		}
	}

	private ReadModel readModel(LiveViewDefinition<?> definition, ViewFold<?> fold) {
		String view = definition.name();
		LiveStates states = this.tables.states();
		return ReadModel.ofRows(definition.version(), fold.states(), () -> states.deleteAll(view, states.live(view)),
				this.tables.retired());
	}

	private void requireNew(LiveViewDefinition<?> definition, Map<Integer, HandFold> versions) {
		boolean taken = versions.isEmpty() && this.projectors.registry()
			.endpoints()
			.stream()
			.anyMatch((endpoint) -> endpoint.id().base().equals(definition.name()));
		if (taken || versions.containsKey(definition.version())) {
			throw new InvalidLiveViewException(
					"There is a " + (taken ? "projector" : "live view") + " '" + definition.name() + "' of version "
							+ definition.version() + " already. Consider another name, or another version.");
		}
	}

	/** Else each event would become a dead letter. */
	private void requireBindable(LiveViewDefinition<?> definition, ViewFold<?> fold) {
		fold.classes().values().forEach((type) -> {
			String problem = PayloadClasses.problem(this.projectors.json().mapper(), type);
			if (problem != null) {
				throw new InvalidLiveViewException("Live view '" + definition.name() + "': " + problem);
			}
			try {
				this.projectors.versions().requireComplete((Class<?>) type);
			}
			catch (InvalidDeclarationException ex) {
				throw new InvalidLiveViewException(
						"Live view '" + definition.name() + "': " + String.join(" ", ex.problems()));
			}
		});
	}

	@Override
	public List<String> names() {
		return List.copyOf(this.views.keySet());
	}

	@Override
	public Optional<LiveState> read(TenantId tenant, String view, String key) {
		LiveState state = this.reader.read(view, List.of(address(tenant, view, key))).states().get(0);
		return state.exists() ? Optional.of(state) : Optional.empty();
	}

	@Override
	public LiveState readRequired(TenantId tenant, String view, String key) {
		return read(tenant, view, key).orElseThrow(() -> new LiveStateNotFoundException(tenant, view, key));
	}

	@Override
	public LiveSnapshot read(TenantId tenant, String view, Collection<String> keys) {
		List<Address> addresses = keys.stream().distinct().map((key) -> address(tenant, view, key)).toList();
		StateReader.Read read = this.reader.read(view, addresses);
		Map<String, LiveState> states = new LinkedHashMap<>();
		read.states().forEach((state) -> states.put(state.key(), state));
		return new LiveSnapshot(read.liveEpoch(), states);
	}

	@Override
	public List<String> keys(TenantId tenant, String view, @Nullable String after, int limit) {
		if (limit < 1) {
			throw new IllegalArgumentException("A page of keys has at least 1, not " + limit + ".");
		}
		return this.tables.states().keys(view, tenant, after, limit);
	}

	/**
	 * Names and keys come from clients, too. Many are read by one statement, and received
	 * by one thread: one that is not valid would fail for all.
	 */
	private static Address address(TenantId tenant, String view, String key) {
		if (!ViewEndpoint.isName(view)) {
			throw new InvalidLiveViewException(
					"No live view can have the name '" + view + "'. Consider 1 to 200 letters, digits, '_' and '-'.");
		}
		ViewFold.requireKey(view, key);
		return new Address(tenant, key);
	}

	@Override
	public LiveViewSubscription subscribe(TenantId tenant, String view, String key, LiveViewListener listener) {
		return this.following.follow(view, address(tenant, view, key), listener);
	}

	/**
	 * Follows a key for streams of browsers, as {@link #subscribe} does, on threads that
	 * listeners of the application do not hold.
	 * @param listener does not block
	 */
	public LiveViewSubscription subscribeForStreams(TenantId tenant, String view, String key,
			LiveViewListener listener) {
		return this.following.followForStreams(view, address(tenant, view, key), listener);
	}

	@Override
	public String subject(TenantId tenant, String view, String key) {
		return FrameSubjects.of(tenant, view, key);
	}

	@Override
	public List<LiveState> apply(String view, Event<?> event) {
		return hand(view).apply(event);
	}

	@Override
	public LiveState rebuild(TenantId tenant, String view, String key, Iterable<? extends Event<?>> events) {
		List<Event<?>> all = new ArrayList<>();
		events.forEach(all::add);
		return hand(view).rebuild(new Address(tenant, key), all);
	}

	/**
	 * The code of the version that feeds the live generation, or the newest.
	 * @throws LiveStateFormException if it has other states than that generation
	 */
	private HandFold hand(String view) {
		NavigableMap<Integer, HandFold> versions = this.views.get(view);
		if (versions == null) {
			throw new UnknownNameException("This node does not define live view '" + view + "'.", names(),
					", or @LiveView(\"" + view + "\")");
		}
		LiveStates.Feeding feeding = this.tables.states().feeding(view).orElse(null);
		HandFold live = (feeding != null) ? versions.get(feeding.version()) : null;
		HandFold hand = (live != null) ? live : versions.lastEntry().getValue();
		if (feeding != null) {
			hand.requireStates(feeding);
		}
		return hand;
	}

	@Override
	public List<Stall> stalls(Duration longest) {
		return this.following.stalls(longest);
	}

	@Override
	public void close() {
		this.following.close();
	}

	/**
	 * Runs the projectors of views.
	 *
	 * @param json writes and binds states
	 * @param versions knows whether events of earlier versions can be read
	 */
	public record Projectors(ProjectorRegistry registry, ProjectorEndpoints endpoints, ProjectorSettingsSource settings,
			EventJsonMapper json, EventVersions versions) {

		void register(ProjectorEndpoint endpoint) {
			this.endpoints.register(endpoint);
		}

	}

}
