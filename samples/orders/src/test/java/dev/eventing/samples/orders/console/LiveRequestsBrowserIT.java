package dev.eventing.samples.orders.console;

import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;

import com.sun.net.httpserver.HttpHandler;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The module of live views in a browser: what it asks a server for, and what it makes of
 * answers that are no stream, that are a refusal, or that do not come. The server is
 * scripted here.
 */
@Tag("browser")
class LiveRequestsBrowserIT extends LiveModule {

	private static final String LIVE = "k:connecting,k:1,k:live";

	@BeforeEach
	void follow() {
		browser.run("""
				window.seen = [];
				window.reported = [];
				window.reportError = (error) => window.reported.push(error.message.toWellFormed());
				window.follow = (options, ...keys) => {
					window.client = new LiveClient(options);
					for (const key of keys) {
						window.client.subscribe('v', key, {
							onState: (state) => window.seen.push(key + ':' + state.n),
							onStatus: (status) => window.seen.push(key + ':' + status),
						});
					}
				};""");
	}

	@ParameterizedTest
	@ValueSource(ints = { 401, 302 })
	void isRefusedUntilSomebodyLogsIn(int status) throws IOException {
		becomeLive("{ staleAfter: 60000 }");
		server.events = (status == 401) ? LiveServer.answer(401, "text/plain", "") : LiveServer.redirect("/login");
		server.end();
		awaitSeen(LIVE + ",k:refused");
		Awaitility.await().until(() -> server.streams.size() > 3);
		server.events = server::stream;
		server.awaitStreams(2);
		server.send(live("1.1"));
		awaitSeen(LIVE + ",k:refused,k:live");
	}

	@Test
	void aReadIsRefusedUntilSomebodyLogsIn() throws IOException {
		server.state = LiveServer.answer(401, "text/plain", "");
		becomeLive("{ staleAfter: 60000 }");
		server.send(live("1.3"));
		awaitSeen(LIVE + ",k:refused");
		server.state = LiveServer::nine;
		awaitSeen(LIVE + ",k:refused,k:9,k:live");
	}

	@Test
	void asksNoMoreForWhatIsForbidden() {
		HttpHandler forbidden = LiveServer.answer(403, "application/json", "{}");
		server.events = unless((query) -> has(query, "secret"), server::stream, forbidden);
		server.state = unless((query) -> has(query, "secret"), LiveServer::nine, forbidden);
		browser.run("window.follow({}, 'k', 'secret')");
		server.awaitStreams(1);
		assertThat(server.streams).extracting(LiveServer.Asked::query)
			.containsExactly("view=v&key=k&key=secret", "view=v&key=k");
		awaitSeen("k:connecting,secret:connecting,secret:refused");
		assertThat(reported()).isEmpty();
	}

	@Test
	void aPageIsNoStream() throws IOException {
		becomeLive("{ staleAfter: 3000 }");
		server.events = LiveServer.answer(200, "text/html", "<p>All paths have this page.</p>");
		server.end();
		awaitSeen(LIVE + ",k:stale");
		assertThat(reported()).hasSize(1).first().asString().contains("'text/html'", "Consider the option 'url'");
	}

	@Test
	void isStaleWhileAReadHangsAndReadsAgain() throws IOException {
		server.state = (exchange) -> {
			// Does not answer.
		};
		becomeLive("{ staleAfter: 60000 }");
		server.send(live("1.3"));
		awaitSeen(LIVE + ",k:stale");
		assertThat(server.states).hasSize(1);
		server.state = LiveServer::nine;
		awaitSeen(LIVE + ",k:stale,k:9,k:live");
		assertThat(server.states).hasSize(2);
	}

	@Test
	void aKeyThatCannotBeReadIsRefusedAlone() {
		HttpHandler unreadable = LiveServer.answer(400, "application/json", "{}");
		server.events = unless((query) -> has(query, ""), server::stream, unreadable);
		server.state = unless((query) -> has(query, ""), LiveServer::nine, unreadable);
		browser.run("""
				window.follow({}, 'k', 'l', '');
				const half = '\\uD83D';
				window.client.subscribe('v', half, { onStatus: (status) => window.seen.push('half:' + status) });""");
		server.awaitStreams(1);
		browser.run("window.client.subscribe('v', 'm', {})");
		server.awaitStreams(2);
		assertThat(server.streams).extracting(LiveServer.Asked::query)
			.containsExactly("view=v&key=k&key=l&key=", "view=v&key=k&key=l", "view=v&key=k&key=l&key=m");
		awaitSeen("k:connecting,l:connecting,:connecting,half:refused,:refused");
		assertThat(reported()).hasSize(2).allMatch((each) -> String.valueOf(each).contains("cannot read key '"));
	}

	@Test
	void hasFewerKeysOnAStreamIfTheServerTakesNoMore() {
		HttpHandler tooMany = LiveServer.answer(400, "application/json", "{}");
		server.events = unless((query) -> query.split("key=", -1).length > 3, server::stream, tooMany);
		browser.run("window.follow({}, 'k', 'l', 'm')");
		server.awaitStreams(2);
		assertThat(server.streams).extracting(LiveServer.Asked::query)
			.containsExactlyInAnyOrder("view=v&key=k&key=l&key=m", "view=v&key=k&key=l", "view=v&key=m");
		assertThat(reported()).isEmpty();
	}

	/** As behind a proxy that buffers them. */
	@Test
	void readsStatesIfStreamsBringNothing() throws IOException {
		server.events = LiveServer::silent;
		browser.run("window.follow({ staleAfter: 1000, random: () => 0 }, 'k')");
		awaitSeen("k:connecting,k:9,k:stale");
		assertThat(server.streams).as("streams that were tried before").hasSizeGreaterThan(1);
		Awaitility.await().until(() -> server.states.size() > 2);
		assertThat(reported()).hasSize(1).first().asString().contains("Consider a proxy that does not buffer");
		server.events = server::stream;
		server.awaitStreams(1);
		server.send(live("1.9"));
		awaitSeen("k:connecting,k:9,k:stale,k:live");
	}

	@Test
	void sendsHeadersThatComeLaterAndUsesTheFetchOfThePage() throws IOException {
		browser.run("""
				window.follow({
					fetch: window.fetch,
					headers: async () => new Headers({ Authorization: 'Bearer of-the-page' }),
				}, 'k')""");
		server.awaitStreams(1);
		server.send(live("1.3"));
		awaitSeen("k:connecting,k:9,k:live");
		assertThat(server.streams).extracting(LiveServer.Asked::position).containsExactly("-");
		assertThat(server.streams).extracting(LiveServer.Asked::authorization).containsExactly("Bearer of-the-page");
		assertThat(server.states).isNotEmpty()
			.extracting(LiveServer.Asked::authorization)
			.containsOnly("Bearer of-the-page");
	}

	@Test
	void tellsOfHeadersThatFailAndTriesThemAgain() {
		browser.run("""
				window.follow({
					random: () => 0,
					headers: () => {
						window.asked = (window.asked ?? 0) + 1;
						if (window.asked < 3) {
							throw new Error('there is no token');
						}
						return { Authorization: 'Bearer of-the-page' };
					},
				}, 'k')""");
		server.awaitStreams(1);
		assertThat(server.streams).extracting(LiveServer.Asked::authorization).containsExactly("Bearer of-the-page");
		assertThat(reported()).hasSize(1).first().asString().contains("Consider the options 'headers'");
	}

	@Test
	void isStaleAfterASleepInWhichItsClockStoodStill() throws IOException {
		becomeLive("{ staleAfter: 600000 }");
		browser.run("""
				const [stopped, wall] = [performance.now(), Date.now];
				performance.now = () => stopped;
				Date.now = () => wall.call(Date) + 3600000;""");
		awaitSeen(LIVE + ",k:stale");
		server.awaitStreams(2);
	}

	/** Begins to follow a key, and has its state. */
	private static void becomeLive(String options) throws IOException {
		browser.run("window.follow(" + options + ", 'k')");
		server.awaitStreams(1);
		server.send("retry: 100\n\nid: 1.1\nevent: rebuild\ndata: " + LiveServer.STATE.formatted(1, 1) + "\n\n"
				+ live("1.1"));
		awaitSeen(LIVE);
	}

	/** Answers as usual, and in another way to some queries. */
	private static HttpHandler unless(Predicate<String> query, HttpHandler usual, HttpHandler other) {
		return (exchange) -> (query.test(exchange.getRequestURI().getRawQuery()) ? other : usual).handle(exchange);
	}

	/** Whether a query names a key. */
	private static boolean has(String query, String key) {
		return (query + "&").contains("key=" + key + "&");
	}

	private static String live(String id) {
		return "id: " + id + "\nevent: live-status\ndata: {\"view\":\"v\",\"key\":\"k\",\"status\":\"live\"}\n\n";
	}

	private static void awaitSeen(String seen) {
		Awaitility.await()
			.untilAsserted(() -> assertThat(String.valueOf(browser.run("return window.seen.join()"))).startsWith(seen));
	}

	private static List<?> reported() {
		return (List<?>) browser.run("return window.reported");
	}

}
