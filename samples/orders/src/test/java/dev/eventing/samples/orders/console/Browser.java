package dev.eventing.samples.orders.console;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;

/** A Chromium of this machine, without a window. Downloads nothing. */
final class Browser implements AutoCloseable {

	private final ChromeDriver driver;

	private Browser(ChromeDriver driver) {
		this.driver = driver;
	}

	static Browser start() {
		ChromeOptions options = new ChromeOptions();
		options.setBinary(program("chromium", "chromium-browser", "google-chrome").toFile());
		options.addArguments("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
				"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic",
				"--window-size=1400,900");
		ChromeDriverService service = new ChromeDriverService.Builder()
			.usingDriverExecutable(program("chromedriver").toFile())
			.usingAnyFreePort()
			.build();
		return new Browser(new ChromeDriver(service, options));
	}

	private static Path program(String... names) {
		return Stream.of(names)
			.flatMap((name) -> Stream
				.of(System.getenv("PATH").split(Pattern.quote(System.getProperty("path.separator"))))
				.map((folder) -> Path.of(folder, name)))
			.filter(Files::isExecutable)
			.findFirst()
			.orElseThrow(() -> new IllegalStateException(
					"None of " + List.of(names) + " is on the PATH. Consider installing Chromium and its driver."));
	}

	void open(String url) {
		this.driver.get(url);
	}

	/** The page once its script has run. */
	void openConsole(String url) {
		open(url);
		await("body[data-ready]");
	}

	/** The first element that fits and is seen; waits for it. */
	WebElement await(String selector) {
		return Awaitility.await()
			.pollInterval(Duration.ofMillis(50))
			.ignoreExceptionsInstanceOf(StaleElementReferenceException.class)
			.until(() -> this.driver.findElements(By.cssSelector(selector))
				.stream()
				.filter(WebElement::isDisplayed)
				.findFirst(), Optional::isPresent)
			.orElseThrow();
	}

	void click(String selector) {
		await(selector).click();
	}

	void type(String selector, String text) {
		WebElement field = await(selector);
		field.sendKeys(Keys.chord(Keys.CONTROL, "a"), text);
	}

	/** To whatever has the focus. */
	void press(CharSequence... keys) {
		this.driver.switchTo().activeElement().sendKeys(keys);
	}

	/** The text of all that fits and is seen, as it is at one moment. */
	@SuppressWarnings("unchecked")
	List<String> texts(String selector) {
		return (List<String>) run("""
				return [...document.querySelectorAll(arguments[0])]
					.filter((node) => node.checkVisibility()).map((node) => node.innerText)""", selector);
	}

	String text(String selector) {
		return String.join("\n", texts(selector));
	}

	boolean isEnabled(String selector) {
		return await(selector).isEnabled();
	}

	boolean has(String selector) {
		return !texts(selector).isEmpty();
	}

	/** Runs a script and returns its result. */
	Object run(String script, Object... arguments) {
		return this.driver.executeScript(script, arguments);
	}

	/** Dark or light, as the system of the one who looks has it. */
	void scheme(String scheme) {
		this.driver.executeCdpCommand("Emulation.setEmulatedMedia",
				Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
	}

	void size(int width, int height) {
		this.driver.manage().window().setSize(new Dimension(width, height));
	}

	void picture(Path file) {
		try {
			Files.createDirectories(file.toAbsolutePath().getParent());
			Files.write(file, this.driver.getScreenshotAs(OutputType.BYTES));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** The page's errors since the last call. */
	List<String> complaints() {
		return this.driver.manage().logs().get("browser").getAll().stream().map(Object::toString).toList();
	}

	@Override
	public void close() {
		this.driver.quit();
	}

}
