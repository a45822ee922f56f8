package dev.eventing.samples.orders.console;

import java.nio.file.Path;
import java.util.List;
import java.util.UUID;

import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

import static dev.eventing.samples.orders.console.Console.BILLING;
import static dev.eventing.samples.orders.console.Console.MAILING;
import static org.assertj.core.api.Assertions.assertThat;

/** The console of the sample as people use it, in Chromium. */
@Tag("browser")
class ConsoleBrowserIT {

	private static final Path PICTURES = Path.of("target", "console");

	private static Console console;

	private static Browser browser;

	@BeforeAll
	static void logIn() throws InterruptedException {
		console = new Console().afterTheRun();
		browser = console.logIn();
	}

	@AfterAll
	static void stop() {
		browser.close();
		console.close();
	}

	@BeforeEach
	void clear() {
		console.clear();
		browser.complaints();
	}

	@AfterEach
	void neverComplains() {
		assertThat(browser.complaints()).isEmpty();
	}

	@Test
	void listsLettersAndFiltersThem() {
		console.letter(BILLING, "acme", "A-1", "AccountClosedException");
		console.letter(BILLING, "acme", "A-2", "RateMissingException");
		console.letter(BILLING, "globex", "G-1", "AccountClosedException");
		console.letter(MAILING, "acme", "M-1", "AccountClosedException");
		open("?projector=" + BILLING);
		soon(() -> assertThat(keys()).containsExactly("G-1", "A-2", "A-1"));
		assertThat(browser.text("#count")).isEqualTo("3 letters that match");

		browser.type("input[name=tenant]", "acme");
		soon(() -> assertThat(keys()).containsExactly("A-2", "A-1"));
		browser.click("#facet-error button[title$=RateMissingException]");
		soon(() -> assertThat(keys()).containsExactly("A-2"));
		assertThat(String.valueOf(browser.run("return location.search"))).contains("projector=billing", "tenant=acme",
				"error=com.example.billing.RateMissingException");

		browser.click("#clear");
		soon(() -> assertThat(keys()).contains("M-1", "G-1"));
		browser.type("input[name=key]", "M-1");
		soon(() -> assertThat(keys()).containsExactly("M-1"));
		browser.run("document.querySelector('#statuses input[value=RESOLVED]').click()");
		soon(() -> assertThat(browser.text("#empty-title")).isEqualTo("No letters match"));
	}

	@Test
	void showsFurtherLettersOnRequest() {
		for (int number = 0; number < 105; number++) {
			console.letter(BILLING, "acme", "A-" + number, "AccountClosedException");
		}
		open("?projector=" + BILLING);
		soon(() -> assertThat(keys()).hasSize(100).startsWith("A-104"));
		browser.click("#more");
		soon(() -> assertThat(keys()).hasSize(105).endsWith("A-0").doesNotHaveDuplicates());
		assertThat(browser.has("#more")).isFalse();
	}

	@Test
	void opensALetterWithAllThereIsOfIt() {
		console.letter(BILLING, "acme", "A-1", "AccountClosedException");
		UUID follower = console.letter(BILLING, "acme", "A-1", "AccountClosedException");
		open("?projector=" + BILLING);
		browser.click("#rows tr:nth-child(2)");
		browser.await("#detail-title");
		assertThat(browser.text("#detail")).contains("invoice.issued of A-1",
				"com.example.billing.AccountClosedException", "Account 'A-1' is closed", "billing.invoices.issued",
				"BILLING #17", "X-Note", "Invoices.java:42", "by projector:billing");
		assertThat(browser.text("#payload")).isEqualTo("""
				{
				  "invoice": "A-1",
				  "amount": 1200.50,
				  "paid": false
				}""");
		browser.click("#same-key button");
		soon(() -> assertThat(String.valueOf(browser.run("return location.search"))).contains("letter=" + follower));
		browser.click("#detail-close");
		assertThat(browser.has("#detail")).isFalse();
	}

	@Test
	void showsMarkupInALetterAsText() {
		String markup = "<img src=x onerror=\"window.hacked=1\"><script>window.hacked=1</script>";
		String json = "{\"name\":\"" + markup.replace("\"", "\\\"") + "\"}";
		UUID letterId = console.letter(BILLING, "acme", markup, "<b>Bold</b>", json);
		UUID noJson = console.letter(BILLING, "acme", "text", "AccountClosedException", markup);
		open("?projector=" + BILLING + "&letter=" + letterId);
		browser.await("#detail-title");
		soon(() -> assertThat(keys()).containsExactly("text", markup));
		assertThat(browser.text("#payload")).contains("<script>window.hacked=1</script>");
		assertThat(browser.text("#detail")).contains("<b>Bold</b>", "<i>note</i>", "invoice.issued of " + markup);
		open("?projector=" + BILLING + "&letter=" + noJson);
		soon(() -> assertThat(browser.text("#payload")).isEqualTo(markup));
		assertThat(browser.run("return document.querySelectorAll('main img, main script, main i').length"))
			.isEqualTo(0L);
		assertThat(browser.run("return [...document.querySelectorAll('b')].some((b) => b.innerText === 'Bold')"))
			.isEqualTo(false);
		assertThat(browser.run("return String(window.hacked)")).isEqualTo("undefined");
	}

	@Test
	void redrivesALetterAndThoseBehindItOnceItsPayloadIsMended() {
		open("?projector=order-summary&tenant=initech");
		soon(() -> assertThat(keys()).hasSizeGreaterThan(1));
		int letters = keys().size();
		String order = keys().get(0);
		assertThat(keys()).containsOnly(order);
		browser.click("#rows tr:last-child");
		browser.click("#edit-one");
		browser.await("#confirm[open]");
		String payload = String.valueOf(browser.run("return document.getElementById('confirm-payload').value"));
		browser.type("#confirm-payload", payload.replace("XTS", "EUR"));
		browser.type("#confirm-reason", "test currency");
		browser.click("#confirm-yes");
		assertThat(browser.await("#payload-edited").getText()).contains("EUR");
		assertThat(browser.text("#payload")).contains("XTS");

		browser.click("#redrive-one");
		assertThat(browser.await("#confirm-title").getText()).isEqualTo("Redrive " + letters + " letters?");
		assertThat(browser.text("#confirm-text")).contains("and with it " + (letters - 1) + " letters of the same key");
		assertThat(browser.has("#confirm-warning")).isFalse();
		browser.click("#confirm-yes");
		soon(() -> assertThat(browser.text("#redrive-text"))
			.isEqualTo("Redrive is over: " + letters + " letters applied."));
		soon(() -> assertThat(browser.text("#detail .title .badge")).isEqualTo("Resolved"));
		soon(() -> assertThat(browser.text("#audit")).contains("Edited by operator", "test currency",
				"Redrive requested by operator", "Resolved by projector:order-summary"));
		browser.picture(PICTURES.resolve("resolved-light.png"));
		assertThat(console.jdbc.queryForMap("""
				select currency, item_count > 0 as filled from order_summary
				 where tenant_id = 'initech' and order_id = ?""", order)).containsEntry("currency", "EUR")
			.containsEntry("filled", true);
		soon(() -> assertThat(browser.text("#empty-title")).isEqualTo("No letters match"));
		browser.click("#redrive-close");
	}

	@Test
	void discardsForAReason() {
		UUID letterId = console.letter(BILLING, "acme", "A-1", "AccountClosedException");
		open("?projector=" + BILLING + "&letter=" + letterId);
		browser.click("#discard-one");
		browser.click("#confirm-yes");
		assertThat(browser.await("#confirm-problem").getText()).contains("enter a reason");
		assertThat(console.status(letterId)).isEqualTo("PARKED");
		browser.type("#confirm-reason", "paid by hand");
		browser.click("#confirm-yes");
		soon(() -> assertThat(console.status(letterId)).isEqualTo("DISCARDED"));
		soon(() -> assertThat(browser.text("#detail .badge")).startsWith("Discarded"));
		soon(() -> assertThat(browser.text("#audit")).contains("Discarded by operator: paid by hand"));
		assertThat(browser.isEnabled("#redrive-one")).isFalse();
		assertThat(console.audit(letterId)).containsExactly("DISCARDED by operator paid by hand");
	}

	@Test
	void discardsNoLetterThatComesAfterTheyWereCounted() {
		UUID counted = console.letter(BILLING, "acme", "A-1", "AccountClosedException");
		open("?projector=" + BILLING);
		soon(() -> assertThat(keys()).containsExactly("A-1"));
		browser.click("#discard-all");
		assertThat(browser.await("#confirm-title").getText()).isEqualTo("Discard 1 letter?");
		UUID later = console.letter(BILLING, "acme", "A-2", "AccountClosedException");
		browser.type("#confirm-reason", "a test");
		browser.click("#confirm-yes");
		soon(() -> assertThat(console.status(counted)).isEqualTo("DISCARDED"));
		assertThat(console.status(later)).isEqualTo("PARKED");
	}

	@Test
	void saysThatNoApplicationCouldRunARedrive() {
		UUID letterId = console.letter(BILLING, "acme", "A-1", "AccountClosedException");
		open("?projector=" + BILLING + "&letter=" + letterId);
		assertThat(browser.await("#redriver").getText()).isEqualTo("No running application has this projector");
		browser.click("#redrive-one");
		assertThat(browser.await("#confirm-warning").getText()).contains("No running application has billing");
		browser.click("#confirm-yes");
		soon(() -> assertThat(browser.text("#redrive")).contains("1 waiting", "No running application has billing"));
		assertThat(console.status(letterId)).isEqualTo("REDRIVING");
		browser.click("#redrive-close");
	}

	@Test
	void canBeWalkedByKeysAlone() {
		UUID first = console.letter(BILLING, "acme", "A-1", "AccountClosedException");
		console.letter(BILLING, "acme", "A-2", "AccountClosedException");
		console.letter(BILLING, "acme", "A-3", "AccountClosedException");
		open("?projector=" + BILLING);
		soon(() -> assertThat(keys()).hasSize(3));
		browser.press("j");
		browser.press(Keys.ARROW_DOWN);
		assertThat(focused()).isEqualTo("A-1");
		browser.press("k");
		assertThat(focused()).isEqualTo("A-2");
		browser.press("j");
		browser.press(Keys.ENTER);
		soon(() -> assertThat(browser.text("#detail-title")).isEqualTo("invoice.issued of A-1"));
		browser.press("x");
		browser.await("#confirm[open]");
		browser.press("no use" + Keys.ENTER);
		soon(() -> assertThat(console.status(first)).isEqualTo("DISCARDED"));
		soon(() -> assertThat(browser.has("#confirm[open]")).isFalse());
		browser.press(Keys.ESCAPE);
		assertThat(browser.has("#detail")).isFalse();
		browser.press("?");
		browser.await("#keys[open]");
		browser.press(Keys.ESCAPE);
		browser.press("/");
		assertThat(browser.run("return document.activeElement.name")).isEqualTo("projector");
		browser.press(Keys.ESCAPE);
		assertThat(browser.run("return document.activeElement.tagName")).isEqualTo("TR");
	}

	@Test
	void keepsToOneTenant() {
		console.letter(BILLING, "acme", "A-1", "AccountClosedException");
		UUID other = console.letter(BILLING, "globex", "G-1", "AccountClosedException");
		open("?projector=" + BILLING + "&tenant=acme&letter=" + other);
		soon(() -> assertThat(keys()).containsExactly("A-1"));
		assertThat(browser.text("#scope")).isEqualTo("tenant acme");
		assertThat(browser.await("#problem").getText()).contains("Not found");
		assertThat(browser.has("#detail")).isFalse();
		browser.click("#discard-all");
		assertThat(browser.await("#confirm-title").getText()).isEqualTo("Discard 1 letter?");
		browser.type("#confirm-reason", "a test");
		browser.click("#confirm-yes");
		soon(() -> assertThat(browser.has("#empty")).isTrue());
		assertThat(console.status(other)).isEqualTo("PARKED");
		assertThat(browser.complaints()).allMatch((complaint) -> complaint.contains("404"));
	}

	@Test
	void isDarkWhereTheSystemIs() {
		List<String> errors = List.of("AccountClosedException", "RateMissingException", "AddressUnknownException");
		for (int number = 0; number < 24; number++) {
			console.letter((number % 4 == 0) ? MAILING : BILLING, (number % 3 == 0) ? "globex" : "acme",
					"A-" + (1000 + number / 2), errors.get(number % 7 % 3));
		}
		console.spreadOverTheDay();
		for (String scheme : List.of("dark", "light")) {
			browser.scheme(scheme);
			open("");
			soon(() -> assertThat(keys()).hasSizeGreaterThanOrEqualTo(24));
			assertThat(brightness()).as(scheme).matches((value) -> scheme.equals("dark") ? value < 60 : value > 200);
			browser.picture(PICTURES.resolve("list-" + scheme + ".png"));
			browser.click("#rows tr:nth-child(3)");
			browser.await("#detail-title");
			browser.picture(PICTURES.resolve("letter-" + scheme + ".png"));
		}
	}

	@SuppressWarnings("unchecked")
	private static double brightness() {
		return ((List<Number>) browser
			.run("return getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")).stream()
			.mapToDouble(Number::doubleValue)
			.average()
			.orElseThrow();
	}

	private static void open(String query) {
		browser.openConsole(console.url() + query);
	}

	private static List<String> keys() {
		return browser.texts("#rows td:nth-child(6)");
	}

	private static String focused() {
		return String.valueOf(browser.run("return document.activeElement.querySelector('td:nth-child(6)').innerText"));
	}

	private static void soon(ThrowingRunnable assertion) {
		Awaitility.await().untilAsserted(assertion);
	}

}
