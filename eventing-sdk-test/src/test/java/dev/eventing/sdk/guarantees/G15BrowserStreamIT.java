package dev.eventing.sdk.guarantees;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import dev.eventing.sdk.autoconfigure.StartRefusedException;
import dev.eventing.sdk.guarantees.BrowserClient.Stream;
import dev.eventing.sdk.liveview.LiveVersion;
import dev.eventing.sdk.liveview.LiveViewStatus;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.awaitility.Awaitility.await;

/** Live views in browsers: what streams and states are given, to whom, and how many. */
class G15BrowserStreamIT {

	@AutoClose
	private static BrowserApplication application;

	private static ScriptedLiveViews views;

	@BeforeAll
	static void start() {
		application = BrowserApplication.start("eventing.live-views.web.ring-frames=4",
				"eventing.live-views.web.keep-alive=300ms", "eventing.live-views.web.max-keys-per-connection=3");
		views = application.views;
	}

	@Test
	void givesStatesThenChangesOfSeveralKeysOnOneConnection() {
		String b = "b.*> \"quoted\" & 100%=ä";
		views.become("acme", "several", "a", at(1), "{\"n\":1}");
		try (Stream stream = application.client("ada").open("several", "a", b)) {
			stream.awaitId("1.1,1.0");
			views.change("acme", "several", "a", "{\"n\":2}", "{\"n\":2}");
			stream.awaitId("1.2,1.0");
			views.change("acme", "several", b, "{\"m\":1}", "{\"m\":1}");
			stream.awaitId("1.2,1.1");
			assertThat(stream.frames()).containsExactly("rebuild a 1.1 {\"n\":1}", "rebuild " + b + " 1.0 null",
					"delta a 1.2 {\"n\":2}", "delta " + b + " 1.1 {\"m\":1}");
			assertThat(stream.events.stream().filter((event) -> event.name().equals("delta")).toList()).first()
				.satisfies((event) -> assertThat(event.json().path("from").asString()).isEqualTo("1.1"))
				.satisfies((event) -> assertThat(event.json().path("view").asString()).isEqualTo("several"));
			assertThat(stream.retry).isBetween(1_000, 5_000);
			assertThat(stream.response.headers().allValues("Cache-Control")).contains("no-store, no-transform");
			assertThat(stream.response.headers().firstValue("Content-Type").orElseThrow())
				.startsWith("text/event-stream");
		}
	}

	@Test
	void tellsWhetherAKeyIsLiveAndKeepsTheConnectionAlive() {
		try (Stream stream = application.client("ada").open("alive", "a")) {
			await().until(() -> stream.events.stream().anyMatch((event) -> event.data().contains("\"live\"")));
			views.status("acme", "alive", "a", LiveViewStatus.STALE);
			await().until(() -> stream.events.stream().anyMatch((event) -> event.data().contains("\"stale\"")));
			await().until(() -> stream.events.stream()
				.anyMatch((event) -> event.comment().equals("keep-alive") && event.id().equals("1.0")));
		}
	}

	@Test
	void resumesAfterTheLastEventId() {
		views.become("acme", "resume", "a", at(1), "{\"n\":1}");
		try (Stream stream = application.client("ada").open("resume", "a", "b")) {
			stream.awaitId("1.1,1.0");
		}
		views.change("acme", "resume", "a", "{\"n\":2}", "{\"n\":2}");
		views.change("acme", "resume", "a", "{\"n\":3}", "{\"n\":3}");
		try (Stream stream = application.client("ada").resume("1.1,1.0", "resume", "a", "b")) {
			assertThat(stream.awaitId("1.3,1.0").frames()).containsExactly("delta a 1.2 {\"n\":2}",
					"delta a 1.3 {\"n\":3}");
		}
		String query = BrowserClient.query("resume", "a") + "&lastEventId=1.2";
		try (Stream stream = application.client("ada").openPath("events" + query)) {
			assertThat(stream.awaitId("1.3").frames()).containsExactly("delta a 1.3 {\"n\":3}");
		}
		assertThat(views.subscriptions("acme", "resume", "a")).isEqualTo(1);
	}

	@Test
	void givesTheWholeStateToAClientThatIsOutOfTheRing() {
		views.become("acme", "ring", "a", at(1), "{\"n\":1}");
		try (Stream first = application.client("ada").open("ring", "a")) {
			first.awaitId("1.1");
			for (int n = 2; n <= 9; n++) {
				views.change("acme", "ring", "a", "{\"n\":" + n + "}", "{\"n\":" + n + "}");
			}
			first.awaitId("1.9");
			for (String old : List.of("1.2", "7.9", "1.12", "nonsense", "1.9,1.9")) {
				try (Stream stream = application.client("ada").resume(old, "ring", "a")) {
					assertThat(stream.awaitId("1.9").frames()).as(old).containsExactly("rebuild a 1.9 {\"n\":9}");
				}
			}
			views.become("acme", "ring", "a", new LiveVersion(2, 3), "{\"n\":0}");
			assertThat(first.awaitId("2.3").frames()).endsWith("rebuild a 2.3 {\"n\":0}");
		}
	}

	@Test
	void followsAKeyOnceHoweverManyConnections() {
		List<Stream> streams = new ArrayList<>();
		for (int i = 0; i < 50; i++) {
			streams.add(application.client().open("once", "public-a"));
		}
		views.change("acme", "once", "public-a", "{\"n\":1}", "{\"n\":1}");
		streams.forEach((stream) -> stream.awaitId("1.1"));
		assertThat(views.subscriptions("acme", "once", "public-a")).isEqualTo(1);
		streams.forEach(Stream::close);
		await().untilAsserted(() -> assertThat(application.connections.connections()).isZero());
	}

	@Test
	void tellsNothingToWhoHasNoRight() {
		views.become("acme", "secret", "private-there", at(3), "{\"n\":3}");
		int before = views.touched.get();
		List<String> answers = new ArrayList<>();
		for (String key : List.of("private-there", "private-missing")) {
			for (String path : List.of("events", "state")) {
				HttpResponse<String> answer = application.client("ada").get(path + BrowserClient.query("secret", key));
				assertThat(answer.headers().allValues("Cache-Control")).contains("no-store");
				answers.add(answer.statusCode() + answer.body());
			}
			HttpResponse<String> several = application.client("ada")
				.get("events" + BrowserClient.query("secret", "mine", key));
			answers.add(several.statusCode() + several.body());
		}
		HttpResponse<String> anonymous = application.client().get("state" + BrowserClient.query("secret", "a"));
		answers.add(anonymous.statusCode() + anonymous.body());
		assertThat(answers).allMatch((answer) -> answer.startsWith("403") && answer.equals(answers.get(0)));
		assertThat(views.touched.get()).isEqualTo(before);
	}

	@Test
	void givesEachTenantItsOwn() {
		views.become("acme", "apart", "a", at(1), "\"acme\"");
		views.become("globex", "apart", "a", at(1), "\"globex\"");
		try (Stream ada = application.client("ada").open("apart", "a");
				Stream bob = application.client("bob").open("apart", "a")) {
			ada.awaitId("1.1");
			bob.awaitId("1.1");
			views.become("acme", "apart", "a", at(2), "\"acme again\"");
			views.become("globex", "apart", "a", at(3), "\"globex again\"");
			assertThat(ada.awaitId("1.2").frames()).hasSize(2).allMatch((frame) -> frame.contains("acme"));
			assertThat(bob.awaitId("1.3").frames()).hasSize(2).allMatch((frame) -> frame.contains("globex"));
		}
		String state = "state" + BrowserClient.query("apart", "a");
		assertThat(application.client("bob").get(state + "&tenant=globex").body()).contains("globex again");
		// A page that takes itself for one of another tenant would show these states
		// under its name.
		assertThat(application.client("bob").get(state + "&tenant=acme").statusCode()).isEqualTo(403);
	}

	@Test
	void readsOneState() {
		views.become("acme", "state", "a", at(7), "{\"n\":7}");
		HttpResponse<String> answer = application.client("ada").get("state" + BrowserClient.query("state", "a"));
		assertThat(answer.body())
			.isEqualTo("{\"view\":\"state\",\"key\":\"a\",\"version\":\"1.7\",\"state\":{\"n\":7}}");
		assertThat(answer.headers().allValues("Cache-Control")).contains("no-store");
		assertThat(application.client("ada").get("state" + BrowserClient.query("state", "none")).body())
			.contains("\"version\":\"1.0\",\"state\":null");
	}

	@Test
	void asksTheDatabaseForAStateOnlyIfItKnowsNoneThatIsAsNew() {
		views.become("acme", "known", "a", at(7), "{\"n\":7}");
		try (Stream stream = application.client("ada").open("known", "a")) {
			stream.awaitId("1.7");
			int before = views.touched.get();
			String path = "state" + BrowserClient.query("known", "a") + "&version=";
			assertThat(application.client("ada").get(path + "1.6").body()).contains("\"version\":\"1.7\"");
			assertThat(views.touched.get()).isEqualTo(before);
			for (String version : List.of("1.8", "2.1")) {
				assertThat(application.client("ada").get(path + version).body()).contains("\"version\":\"1.7\"");
			}
			assertThat(views.touched.get()).isEqualTo(before + 2);
		}
	}

	@Test
	void refusesWhatItCannotRead() {
		for (String path : List.of("events", "events?view=a", "state?view=a&key=b&key=c", "state?view=a&kye=b",
				"state?view=a&key=b&version=new", "events" + BrowserClient.query("many", "1", "2", "3", "4"))) {
			HttpResponse<String> answer = application.client("ada").get(path);
			assertThat(answer.statusCode()).as(path).isEqualTo(400);
			assertThat(answer.body()).contains("INVALID_REQUEST", "Consider");
			assertThat(answer.headers().firstValue("Retry-After")).isEmpty();
		}
	}

	/** The stream would end with nothing in it. */
	@Test
	void aFilterThatComputesETagsKeepsNoStreamBack() {
		try (BrowserApplication tagging = BrowserApplication.tagging("eventing.live-views.web.max-age=10s");
				Stream stream = tagging.client("ada").open("tagged", "a")) {
			stream.awaitId("1.0");
			tagging.views.change("acme", "tagged", "a", "{\"n\":1}", "{\"n\":1}");
			stream.awaitId("1.1");
		}
	}

	@Test
	void servesTheModules() {
		for (String path : List.of("eventing-live.js", "eventing-live-nats.js")) {
			HttpResponse<String> module = application.client().get(path);
			assertThat(module.statusCode()).isEqualTo(200);
			assertThat(module.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/javascript");
			assertThat(module.body()).contains("export function ")
				.doesNotContainPattern("innerHTML|eval\\(|new Function|https?://|^import ");
		}
		assertThat(application.client().get("package-info.class").statusCode()).isEqualTo(404);
	}

	@Test
	void refusesConnectionsBeyondItsLimitsAndSaysWhenToComeBack() {
		try (BrowserApplication small = BrowserApplication.start("eventing.live-views.web.max-connections=3",
				"eventing.live-views.web.max-connections-per-principal=2", "eventing.live-views.web.max-keys=4",
				"eventing.live-views.web.keep-alive=200ms")) {
			Stream first = small.client("ada").open("v", "a", "b");
			Stream second = small.client("ada").open("v", "a");
			refused(small.client("ada").get("events?view=v&key=a"), 429);
			refused(small.client("bob").get("events?view=v&key=1&key=2&key=3"), 503);
			Stream third = small.client("bob").open("v", "a");
			assertThat(third.response.statusCode()).isEqualTo(200);
			refused(small.client().get("events?view=v&key=public-a"), 503);
			assertThat(small.client().get("events?view=v&key=a").statusCode()).as("without right").isEqualTo(403);
			first.close();
			second.close();
			await().untilAsserted(() -> assertThat(small.connections.connections()).isEqualTo(1));
			// A key without followers makes room.
			try (Stream fourth = small.client("ada").open("v", "x", "y", "z")) {
				assertThat(fourth.response.statusCode()).isEqualTo(200);
				assertThat(small.connections.followedKeys()).isEqualTo(4);
			}
			third.close();
		}
	}

	private static void refused(HttpResponse<String> answer, int status) {
		assertThat(answer.statusCode()).isEqualTo(status);
		assertThat(answer.headers().firstValueAsLong("Retry-After").orElseThrow()).isBetween(1L, 60L);
		assertThat(answer.body()).contains("Consider");
	}

	@Test
	void endsOldConnectionsWhichThenResume() {
		try (BrowserApplication brief = BrowserApplication.start("eventing.live-views.web.max-age=1s")) {
			try (Stream stream = brief.client("ada").open("v", "a")) {
				stream.awaitId("1.0");
				await().until(() -> stream.ended);
			}
			brief.views.change("acme", "v", "a", "{\"n\":1}", "{\"n\":1}");
			try (Stream stream = brief.client("ada").resume("1.0", "v", "a")) {
				assertThat(stream.awaitId("1.1").frames()).containsExactly("delta a 1.1 {\"n\":1}");
			}
		}
	}

	@Test
	void endsAllConnectionsAtAStopWithoutWaitingForThem() {
		BrowserApplication stopping = BrowserApplication.start();
		List<Stream> streams = IntStream.range(0, 20)
			.mapToObj((i) -> stopping.client().open("v", "public" + i))
			.toList();
		streams.forEach((stream) -> stream.awaitId("1.0"));
		long began = System.nanoTime();
		stopping.close();
		// A graceful stop of the web server waits 30 s for requests that do not end.
		assertThat(System.nanoTime() - began).isLessThan(20_000_000_000L);
		await().until(() -> streams.stream().allMatch((stream) -> stream.ended));
		assertThat(stopping.views.subscriptions("acme", "v", "public0")).isZero();
	}

	@Test
	void servesNothingUnlessTheApplicationDecidesToWhom() {
		try (BrowserApplication unguarded = BrowserApplication.unguarded()) {
			for (String path : List.of("events?view=v&key=a", "state?view=v&key=a", "eventing-live.js")) {
				assertThat(unguarded.client("ada").get(path).statusCode()).as(path).isEqualTo(404);
			}
			assertThat(unguarded.connections).isNull();
		}
		assertThatException()
			.isThrownBy(() -> BrowserApplication.unguarded("eventing.live-views.web.enabled=true").close())
			.withStackTraceContaining(StartRefusedException.class.getName());
	}

	private static LiveVersion at(long version) {
		return new LiveVersion(1, version);
	}

}
