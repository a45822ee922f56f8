package dev.eventing.samples.dashboard.run;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

import dev.eventing.samples.dashboard.desk.Desks;
import dev.eventing.samples.dashboard.house.House;
import org.awaitility.Awaitility;

/**
 * Looks at the page in a browser while one thing after the other is killed: the page says
 * that it is stale, comes back, and ends with what is stored. What is not so is thrown.
 */
final class BoardCheck {

	private static final Duration PATIENCE = Duration.ofSeconds(90);

	private static final long ENOUGH_EVENTS = 2_000;

	private final StoredBoards stored;

	private final Desks desks;

	private final List<Failure> failures;

	private final Path pictures;

	private final Consumer<String> say;

	BoardCheck(StoredBoards stored, Desks desks, List<Failure> failures, Path pictures, Consumer<String> say) {
		this.stored = stored;
		this.desks = desks;
		this.failures = failures;
		this.pictures = pictures;
		this.say = say;
	}

	/**
	 * Checks it all.
	 * @throws RuntimeException if something is not as it should be
	 */
	void run(String url, String password) {
		try (BoardPage page = BoardPage.open(url, House.HARBOUR, password, House.SUMMIT)) {
			try {
				watch(page);
			}
			catch (RuntimeException ex) {
				page.picture(this.pictures.resolve("failed.png"));
				throw ex;
			}
		}
		try (BoardPage page = BoardPage.open(url, House.SUMMIT, password, House.HARBOUR)) {
			page.awaitStatus("live");
			awaitStored(page);
			requireApart(page);
		}
	}

	private void watch(BoardPage page) {
		page.awaitStatus("live");
		Awaitility.await("enough events are counted")
			.atMost(PATIENCE)
			.until(() -> this.stored.counted(page.house()) >= ENOUGH_EVENTS);
		awaitStored(page);
		for (Failure failure : this.failures) {
			survive(page, failure);
		}
		page.pictures(this.pictures);
		requireApart(page);
	}

	private void survive(BoardPage page, Failure failure) {
		failure.kill().run();
		Duration stale = page.awaitStatus("stale");
		page.picture(this.pictures.resolve("stale.png"));
		failure.restart().run();
		Duration live = page.awaitStatus("live");
		this.say.accept(String.format(Locale.ROOT,
				"%s was killed: the page said 'stale' after %.1f s, and 'live' %.1f s after the restart",
				failure.what(), seconds(stale), seconds(live)));
		awaitStored(page);
	}

	private static double seconds(Duration duration) {
		return duration.toMillis() / 1000.0;
	}

	/**
	 * Closes the desks, so that there is one right answer, and waits for it: all that was
	 * appended is counted, and all that is stored is shown.
	 */
	private void awaitStored(BoardPage page) {
		this.desks.close();
		long from = System.nanoTime();
		Awaitility.await("the page shows what is stored, and all events are counted")
			.atMost(PATIENCE)
			.pollInterval(Duration.ofMillis(200))
			.until(() -> isComplete(page.house()) && this.stored.numbers(page.house()).equals(page.numbers()));
		Map<String, Numbers> numbers = page.numbers();
		this.say.accept(String.format(Locale.ROOT,
				"  %s: all %,d events are in the %d numbers shown, %.1f s after the last of them", page.house().title(),
				this.stored.counted(page.house()), numbers.size() * 6,
				seconds(Duration.ofNanos(System.nanoTime() - from))));
		this.desks.open();
	}

	private boolean isComplete(House house) {
		return this.stored.numbers(house).size() == house.resources().size()
				&& this.stored.counted(house) == this.stored.appended(house);
	}

	private void requireApart(BoardPage page) {
		List<String> words = page.foreignWords();
		if (!words.isEmpty()) {
			throw new IllegalStateException(
					"The page of '" + page.house().user() + "' got " + words + " of the other house");
		}
		String status = page.askForTheOther();
		if (!status.equals("403")) {
			throw new IllegalStateException("'" + page.house().user() + "' asked for another tenant's state, and got "
					+ status + " in place of 403");
		}
		this.say.accept("  " + page.house().user()
				+ " saw nothing of the other house, and is refused (403) when asking for it");
	}

}
