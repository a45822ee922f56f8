package dev.eventing.samples.dashboard.run;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

import dev.eventing.samples.dashboard.house.House;
import dev.eventing.samples.dashboard.house.Resource;
import dev.eventing.samples.dashboard.view.OccupancyView;
import org.awaitility.Awaitility;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** The page as somebody sees it who is logged in. Not thread-safe. */
final class BoardPage implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofSeconds(90);

	/** Reads the shown numbers, not the variables of the page's script. */
	private static final String NUMBERS = """
			const shown = (card, name) =>
				Number(card.querySelector(`[data-number="${name}"]`).innerText.replaceAll(/[^0-9-]/g, ''));
			return JSON.stringify(Object.fromEntries([...document.querySelectorAll('[data-key]')].map((card) =>
				[card.dataset.key, {
					title: card.querySelector('h2').innerText,
					...Object.fromEntries(['unreserved', 'held', 'committed', 'commits', 'releases', 'expiries']
						.map((name) => [name, shown(card, name)])),
					slots: card.querySelector('polyline').points.numberOfItems,
				}])))""";

	/** Notes each of these words that the page ever shows, or ever gets. */
	private static final String WATCH = """
			window.noted = { shown: [], received: [] };
			const note = (noted, text) => %s.filter((word) => text.includes(word) && !noted.includes(word))
				.forEach((word) => noted.push(word));
			new MutationObserver(() => note(window.noted.shown, document.documentElement?.textContent ?? ''))
				.observe(document, { childList: true, characterData: true, subtree: true });
			const decode = TextDecoder.prototype.decode;
			let before = ''; // a word may come in two pieces
			TextDecoder.prototype.decode = function (...all) {
				const text = decode.apply(this, all);
				note(window.noted.received, before + text);
				before = text.slice(-80);
				return text;
			};
			const json = Response.prototype.json;
			Response.prototype.json = async function () {
				const answer = await json.call(this);
				note(window.noted.received, JSON.stringify(answer));
				return answer;
			};""";

	private static final String ASK = """
			const [url, done] = arguments;
			fetch(url).then((response) => done(String(response.status)), (error) => done(String(error)));""";

	private final Browser browser;

	private final House house;

	private final House other;

	private BoardPage(Browser browser, House house, House other) {
		this.browser = browser;
		this.house = house;
		this.other = other;
	}

	/** Opens the page as who works in the house; logs in first. */
	static BoardPage open(String url, House house, String password, House other) {
		BoardPage page = new BoardPage(Browser.start(), house, other);
		try {
			page.logIn(url, password);
			return page;
		}
		catch (RuntimeException ex) {
			page.close();
			throw ex;
		}
	}

	private void logIn(String url, String password) {
		this.browser.size(1920, 1080);
		this.browser.beforeEachPage(watch());
		this.browser.open(url);
		this.browser.type("input[name=username]", this.house.user());
		this.browser.type("input[name=password]", password);
		this.browser.click("button[type=submit]");
	}

	private String watch() {
		List<String> words = Stream.of(this.house, this.other).flatMap((each) -> wordsOf(each).stream()).toList();
		return WATCH.formatted(JsonMapper.shared().writeValueAsString(words));
	}

	private static List<String> wordsOf(House house) {
		return Stream.concat(Stream.of(house.title()), house.resources().stream().map(Resource::title)).toList();
	}

	House house() {
		return this.house;
	}

	/** The status that the page shows, such as {@code live}. */
	String status() {
		return String.valueOf(this.browser.run("return document.body.dataset.status"));
	}

	/** Waits until the page says so, and returns how long that took. */
	Duration awaitStatus(String status) {
		long from = System.nanoTime();
		Awaitility.await("the page says '" + status + "'")
			.atMost(PATIENCE)
			.pollInterval(Duration.ofMillis(100))
			.until(() -> status().equals(status));
		return Duration.ofNanos(System.nanoTime() - from);
	}

	/** The numbers that are shown, by the keys of the resources. */
	Map<String, Numbers> numbers() {
		return new TreeMap<>(JsonMapper.shared()
			.readValue(String.valueOf(this.browser.run(NUMBERS)), new TypeReference<Map<String, Numbers>>() {
			}));
	}

	/**
	 * What of the other house the page has ever shown or received.
	 * @throws IllegalStateException if the page was not watched: its own requests were
	 * not noted, either
	 */
	List<String> foreignWords() {
		List<String> own = wordsOf(this.house);
		List<String> foreign = new ArrayList<>();
		for (String where : List.of("shown", "received")) {
			List<String> noted = noted(where);
			if (!noted.containsAll(own)) {
				throw new IllegalStateException("Of " + own + ", only " + noted + " were seen to be " + where);
			}
			noted.stream().filter((word) -> !own.contains(word)).forEach(foreign::add);
		}
		return foreign;
	}

	private List<String> noted(String where) {
		return ((List<?>) Objects.requireNonNull(this.browser.run("return window.noted[arguments[0]]", where))).stream()
			.map(String::valueOf)
			.toList();
	}

	/** The status of the answer to who asks for a state of the other house. */
	String askForTheOther() {
		String url = "/eventing/live/state?view=" + OccupancyView.NAME + "&key=" + this.other.keys().get(0) + "&tenant="
				+ this.other.tenant().value();
		return String.valueOf(this.browser.runAsync(ASK, url));
	}

	/** Pictures of the page on a wall, by day and by night, and on a phone. */
	void pictures(Path folder) {
		this.browser.scheme("light");
		this.browser.picture(folder.resolve("light.png"));
		this.browser.scheme("dark");
		this.browser.picture(folder.resolve("dark.png"));
		this.browser.size(390, 844);
		this.browser.picture(folder.resolve("phone.png"));
		this.browser.size(1920, 1080);
	}

	void picture(Path file) {
		this.browser.picture(file);
	}

	@Override
	public void close() {
		this.browser.close();
	}

}
