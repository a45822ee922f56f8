package dev.eventing.samples.dashboard.run;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.openqa.selenium.By;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;

/** A Chromium of this machine, without a window. Downloads nothing. Not thread-safe. */
final class Browser implements AutoCloseable {

	private static final String[] DRIVER = { "chromedriver" };

	private static final String[] CHROMIUM = { "chromium", "chromium-browser", "google-chrome" };

	private final ChromeDriver driver;

	private Browser(ChromeDriver driver) {
		this.driver = driver;
	}

	/** The missing program, if there is no browser on this machine. */
	static Optional<String> missing() {
		return Stream.of(DRIVER, CHROMIUM)
			.filter((names) -> program(names).isEmpty())
			.map((names) -> "None of " + List.of(names)
					+ " is on the PATH. Consider installing Chromium and its driver.")
			.findFirst();
	}

	/**
	 * Starts it.
	 * @throws java.util.NoSuchElementException if it is {@link #missing}
	 */
	static Browser start() {
		ChromeOptions options = new ChromeOptions();
		options.setBinary(program(CHROMIUM).orElseThrow().toFile());
		options.addArguments("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
				"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic");
		ChromeDriverService service = new ChromeDriverService.Builder()
			.usingDriverExecutable(program(DRIVER).orElseThrow().toFile())
			.usingAnyFreePort()
			.build();
		return new Browser(new ChromeDriver(service, options));
	}

	private static Optional<Path> program(String... names) {
		return Stream.of(names)
			.flatMap((name) -> Stream
				.of(Objects.requireNonNullElse(System.getenv("PATH"), "").split(Pattern.quote(File.pathSeparator)))
				.map((folder) -> Path.of(folder, name)))
			.filter(Files::isExecutable)
			.findFirst();
	}

	void open(String url) {
		this.driver.get(url);
	}

	void type(String selector, String text) {
		this.driver.findElement(By.cssSelector(selector)).sendKeys(text);
	}

	void click(String selector) {
		this.driver.findElement(By.cssSelector(selector)).click();
	}

	/** Runs a script and returns its result. */
	@Nullable Object run(String script, Object... arguments) {
		return this.driver.executeScript(script, arguments);
	}

	/** Runs a script and waits until it calls the last of its arguments. */
	@Nullable Object runAsync(String script, Object... arguments) {
		return this.driver.executeAsyncScript(script, arguments);
	}

	/** Runs a script in each page from now on, before the page's scripts. */
	void beforeEachPage(String script) {
		this.driver.executeCdpCommand("Page.addScriptToEvaluateOnNewDocument", Map.of("source", script));
	}

	/** Dark or light, as the system of the one who looks has it. */
	void scheme(String scheme) {
		this.driver.executeCdpCommand("Emulation.setEmulatedMedia",
				Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
	}

	/** As large as a screen or a phone. */
	void size(int width, int height) {
		this.driver.executeCdpCommand("Emulation.setDeviceMetricsOverride",
				Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 600));
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

	@Override
	public void close() {
		this.driver.quit();
	}

}
