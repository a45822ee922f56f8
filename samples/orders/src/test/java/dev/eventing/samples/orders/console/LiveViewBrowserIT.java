package dev.eventing.samples.orders.console;

import java.io.IOException;
import java.util.List;
import java.util.Map;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The module of live views in a browser: what it makes of frames that are lost, doubled
 * and late, and of a server that falls silent. The server is scripted here.
 */
@Tag("browser")
class LiveViewBrowserIT extends LiveModule {

	@Test
	void endsWithTheStoredStateWhateverTheConnectionDoesToFrames() {
		Map<?, ?> result = (Map<?, ?>) browser.run("return window.rounds(1000)");
		assertThat((List<?>) result.get("failed")).as("seeds of rounds that failed").isEmpty();
		assertThat((Long) result.get("reads")).as("so that gaps were there").isGreaterThan(1000);
		assertThat((List<?>) browser.run("return window.cuts()")).isEmpty();
	}

	@Test
	void mergesPatchesAsTheStandardHasIt() {
		assertThat(browser
			.run("""
					return JSON.stringify([
						window.mergePatch({ a: 1, b: { c: 1, d: 2 } }, { a: null, b: { c: null, e: [1, null] } }),
						window.mergePatch([1], { a: 1 }), window.mergePatch({ a: 1 }, [2]),
						Object.getPrototypeOf(window.mergePatch({}, JSON.parse('{"__proto__":{"x":1}}'))) === Object.prototype])"""))
			.isEqualTo("[{\"b\":{\"d\":2,\"e\":[1,null]}},{\"a\":1},[2],true]");
	}

	@Test
	void tellsLiveFromStaleAndResumes() throws IOException {
		browser.run("""
				window.seen = [];
				window.client = new LiveClient({ staleAfter: 3000 });
				window.client.subscribe('v', 'k', { onState: (state) => window.seen.push(state.n),
					onStatus: (status) => window.seen.push(status) });""");
		server.awaitStreams(1);
		server.send("retry: 100\n\nid: 1.1\nevent: rebuild\ndata: " + LiveServer.STATE.formatted(1, 1) + "\n\n"
				+ live("1.1"));
		awaitSeen("connecting,1,live");
		server.send("id: 1.2\nevent: delta\ndata: {\"view\":\"v\",\"key\":\"k\",\"from\":\"1.1\",\"version\":\"1.2\","
				+ "\"patch\":{\"n\":2}}\n\n");
		awaitSeen("connecting,1,live,2,stale");
		server.awaitStreams(2);
		assertThat(server.streams).extracting(LiveServer.Asked::position).startsWith("-", "1.2");
		// The frame of 1.3 is lost: what the id tells makes the module read the state.
		server.send(live("1.3"));
		awaitSeen("connecting,1,live,2,stale,live,9");
		browser.run("window.client.close()");
		Awaitility.await()
			.untilAsserted(
					() -> assertThat(String.valueOf(browser.run("return window.seen.at(-1)"))).isEqualTo("closed"));
	}

	private static String live(String id) {
		return "id: " + id + "\nevent: live-status\ndata: {\"view\":\"v\",\"key\":\"k\",\"status\":\"live\"}\n\n";
	}

	private static void awaitSeen(String seen) {
		Awaitility.await()
			.untilAsserted(() -> assertThat(String.valueOf(browser.run("return window.seen.join()"))).startsWith(seen));
	}

}
