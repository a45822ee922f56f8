package dev.eventing.sdk.liveview.web;

import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.List;
import java.util.Map;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.liveview.LiveSnapshot;
import dev.eventing.sdk.liveview.LiveState;
import dev.eventing.sdk.liveview.LiveVersion;
import dev.eventing.sdk.liveview.LiveViewAccess;
import dev.eventing.sdk.liveview.LiveViewRequest;
import dev.eventing.sdk.liveview.LiveViewWebOptions;
import dev.eventing.sdk.liveview.LiveViews;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.dao.DataAccessException;
import org.springframework.http.MediaType;
import org.springframework.web.filter.ShallowEtagHeaderFilter;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * What HTTP clients ask of live views: {@code events}, a stream of server-sent events;
 * {@code state}, one state as JSON; and the modules for browsers. The application's
 * {@link LiveViewAccess} decides about each key before anything of it is looked at.
 */
public final class LiveViewRoutes {

	private static final Logger logger = LoggerFactory.getLogger(LiveViewRoutes.class);

	private static final JsonMapper JSON = EventJson.mapper();

	/** How often a client hears something, in milliseconds. */
	private static final String KEEP_ALIVE = "Eventing-Keep-Alive";

	private final LiveViews views;

	private final LiveViewAccess access;

	private final LiveConnections connections;

	private final LiveViewWebOptions options;

	public LiveViewRoutes(LiveViews views, LiveViewAccess access, LiveConnections connections,
			LiveViewWebOptions options) {
		this.views = views;
		this.access = access;
		this.connections = connections;
		this.options = options;
	}

	/** The routes below the path of the options. */
	public RouterFunction<ServerResponse> routes() {
		LiveScript client = new LiveScript(LiveScript.CLIENT);
		LiveScript overNats = new LiveScript(LiveScript.OVER_NATS);
		String path = this.options.path();
		return RouterFunctions.route()
			.GET(path + "/events", (request) -> answer(() -> events(request)))
			.GET(path + "/state", (request) -> answer(() -> state(request)))
			.GET(path + LiveScript.CLIENT, (request) -> client.response())
			.GET(path + LiveScript.OVER_NATS, (request) -> overNats.response())
			.build();
	}

	private ServerResponse events(ServerRequest request) {
		LiveQuery query = LiveQuery.read(request.servletRequest().getQueryString());
		if (query.keys().size() > this.options.maxKeysPerConnection()) {
			throw RefusedException.invalid(
					"A stream has at most " + this.options.maxKeysPerConnection() + " keys. Consider several streams.");
		}
		List<KeyName> names = admit(request, query);
		String header = request.headers().firstHeader("Last-Event-ID");
		String last = (header != null) ? header : query.value(LiveQuery.LAST_EVENT_ID);
		LiveConnection connection = this.connections.open(request.principal().map(Principal::getName).orElse(null),
				names, Positions.read(last, names.size()));
		// Else that filter would keep the stream to compute its ETag.
		ShallowEtagHeaderFilter.disableContentCaching(request.servletRequest());
		return ServerResponse.ok()
			.contentType(MediaType.parseMediaType("text/event-stream;charset=UTF-8"))
			// Proxies that compress hold back what is no full block.
			.header("Cache-Control", "no-store, no-transform")
			.header("X-Content-Type-Options", "nosniff")
			.header("X-Accel-Buffering", "no")
			.header(KEEP_ALIVE, String.valueOf(this.options.keepAlive().toMillis()))
			.build((http, response) -> {
				begin(connection, () -> connection.begin(http, response));
				return null;
			});
	}

	private static void begin(LiveConnection connection, Begin begin) throws Exception {
		boolean begun = false;
		try {
			begin.begin();
			begun = true;
		}
		catch (IllegalStateException ex) {
			logger.error(
					"A stream of live views cannot begin. Consider 'async-supported' of the servlet and its filters.",
					ex);
			throw ex;
		}
		finally {
			if (!begun) {
				connection.close();
			}
		}
	}

	private ServerResponse state(ServerRequest request) {
		LiveQuery query = LiveQuery.read(request.servletRequest().getQueryString());
		if (query.keys().size() > 1) {
			throw RefusedException.invalid("A state has one key. Consider a request for each key.");
		}
		KeyName name = admit(request, query).get(0);
		LiveVersion least = least(query.value(LiveQuery.VERSION));
		LiveState known = (least != null) ? this.connections.state(name) : null;
		LiveState state = (known != null && least != null && isAsNew(known.version(), least)) ? known : read(name);
		return json(ServerResponse.ok(), StreamFrame.whole(name, state));
	}

	private static @Nullable LiveVersion least(@Nullable String text) {
		try {
			return (text != null) ? LiveVersion.parse(text) : null;
		}
		catch (IllegalArgumentException ex) {
			throw RefusedException.invalid("The version is not readable. Consider one of a frame, such as '2.17'.");
		}
	}

	/**
	 * Whether a state in memory is as new as what the client knows of, so that clients
	 * which read after each change do not ask the database.
	 */
	private static boolean isAsNew(LiveVersion known, LiveVersion least) {
		return known.liveEpoch() == least.liveEpoch() && known.version() >= least.version();
	}

	private LiveState read(KeyName name) {
		LiveSnapshot snapshot = this.views.read(name.tenant(), name.view(), List.of(name.key()));
		LiveState state = snapshot.states().get(name.key());
		return (state != null) ? state
				: new LiveState(name.key(), new LiveVersion(snapshot.liveEpoch(), 0), null, null, JSON);
	}

	private List<KeyName> admit(ServerRequest request, LiveQuery query) {
		Principal principal = request.principal().orElse(null);
		return query.keys().stream().map((key) -> {
			TenantId tenant = this.access.tenant(new LiveViewRequest(principal, query.tenant(), key.view(), key.key()))
				.filter((decided) -> query.tenant() == null || decided.value().equals(query.tenant()))
				.orElseThrow(RefusedException::forbidden);
			return new KeyName(tenant, key.view(), key.key());
		}).toList();
	}

	private static ServerResponse answer(Answer answer) {
		try {
			return answer.of();
		}
		catch (RefusedException ex) {
			return problem(ex);
		}
		catch (DataAccessException ex) {
			logger.warn(
					"A state of a live view cannot be read: the database does not answer. The client tries again later.",
					ex);
			return problem(RefusedException.unavailable("The database does not answer. Consider trying later."));
		}
		catch (EventingException ex) {
			return problem(RefusedException.invalid(String.valueOf(ex.getMessage())));
		}
	}

	private static ServerResponse problem(RefusedException refused) {
		ServerResponse.BodyBuilder response = ServerResponse.status(refused.status());
		if (refused.retryAfter() > 0) {
			response.header("Retry-After", String.valueOf(refused.retryAfter()));
		}
		return json(response, JSON.writeValueAsString(Map.of("status", refused.status(), "error", refused.error(),
				"message", String.valueOf(refused.getMessage()))));
	}

	private static ServerResponse json(ServerResponse.BodyBuilder response, String body) {
		return response.header("Cache-Control", "no-store")
			.header("X-Content-Type-Options", "nosniff")
			.contentType(MediaType.APPLICATION_JSON)
			.body(body.getBytes(StandardCharsets.UTF_8));
	}

	/** Supplies the answer to a request. */
	private interface Answer {

		ServerResponse of();

	}

	/** Begins a stream. */
	private interface Begin {

		void begin() throws Exception;

	}

}
