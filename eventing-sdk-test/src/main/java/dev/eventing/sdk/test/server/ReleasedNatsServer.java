package dev.eventing.sdk.test.server;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;

import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The official release archive. Only archives whose SHA-256 is pinned here are fetched.
 * An archive with another SHA-256 is rejected.
 */
record ReleasedNatsServer(Machine machine, ServerCache cache,
		Map<NatsServerLine, Release> releases) implements NatsServerSource {

	private static final Map<NatsServerLine, Release> RELEASES = Map.of(NatsServerLine.OLDEST,
			new Release("2.10.26",
					Map.of("linux-amd64", "6cbac67107e69c9e5a352d6f1555027f9da6a6b3fa81cceafefa9598b4451512",
							"linux-arm64", "aba1b169f18d4441b4b5d760805c562dccc57b425a7a213a82753a2269a27235",
							"darwin-amd64", "c90e94a1a9537304ab59f9056baca6a3138d17c13d7fe218ccbbd24ca08ee8e9",
							"darwin-arm64", "b1e2fd61507703ee81b0b2c1c35894beeebf908ddc7a4a5b7928aca438f716e6")),
			NatsServerLine.NEWEST,
			new Release("2.14.5",
					Map.of("linux-amd64", "5e3b603d47c447bda1f77f9ac16dbf91c90aac4ff3681f8fbbc7201e4ed99355",
							"linux-arm64", "673a98d3faa79dde3f9ebf16d6dfac36a5f694e7ad2015e4954dd7939c85cd4c",
							"darwin-amd64", "f95c98d6b6ed2b63c5681b46b092c9585c99767d547cf495730c329234625e96",
							"darwin-arm64", "ddd907854d9a2de834af133fa396915fe6442fe6d8909ae31390d1ea7a0fea50")));

	private static final Duration CONNECT = Duration.ofSeconds(4);

	private static final Duration TRANSFER = Duration.ofMinutes(3);

	ReleasedNatsServer(Machine machine, ServerCache cache) {
		this(machine, cache, RELEASES);
	}

	@Override
	public String place() {
		return "release archive";
	}

	@Override
	public NatsServerBinary find(NatsServerLine line) throws IOException {
		Release release = this.releases.get(line);
		String platform = this.machine.platform();
		String sum = (release != null) ? release.sums().get(platform) : null;
		if (release == null || sum == null) {
			throw new IOException("no archive with a known checksum for '" + platform + "' and " + line.expectation());
		}
		URI archive = this.machine.releases()
			.resolve("v%1$s/nats-server-v%1$s-%2$s.tar.gz".formatted(release.version(), platform));
		return CachedNatsServer.fetch(this.cache, line, (scratch) -> {
			Path file = scratch.resolve("archive.tar.gz");
			download(archive, file);
			verify(archive, file, sum);
			return extract(file, scratch.resolve("nats-server"));
		});
	}

	private static void download(URI archive, Path file) throws IOException {
		HttpClient client = HttpClient.newBuilder()
			.connectTimeout(CONNECT)
			.followRedirects(HttpClient.Redirect.NORMAL)
			.build();
		HttpRequest request = HttpRequest.newBuilder(archive).timeout(Duration.ofSeconds(20)).build();
		try {
			// The request's time-out covers only the response headers; the body may
			// stall.
			HttpResponse<Path> response = client.sendAsync(request, HttpResponse.BodyHandlers.ofFile(file))
				.orTimeout(TRANSFER.toMillis(), TimeUnit.MILLISECONDS)
				.join();
			if (response.statusCode() != 200) {
				throw new IOException("'" + archive + "' answers " + response.statusCode());
			}
		}
		catch (CompletionException ex) {
			throw new IOException("'" + archive + "' cannot be fetched: " + describe(ex.getCause()), ex);
		}
	}

	private static String describe(@Nullable Throwable cause) {
		if (cause == null) {
			return "unknown";
		}
		String name = cause.getClass().getSimpleName();
		return (cause.getMessage() != null) ? name + ": " + cause.getMessage() : name;
	}

	private static void verify(URI archive, Path file, String expected) throws IOException {
		String actual = sha256(file);
		if (!actual.equals(expected)) {
			throw new IOException(
					"'" + archive + "' has SHA-256 " + actual + ", pinned is " + expected + "; it is not used");
		}
	}

	private static String sha256(Path file) throws IOException {
		try {
			MessageDigest digest = MessageDigest.getInstance("SHA-256");
			try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
				in.transferTo(OutputStream.nullOutputStream());
			}
			return HexFormat.of().formatHex(digest.digest());
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every JVM has SHA-256", ex);
		}
	}

	private static Path extract(Path archive, Path program) throws IOException {
		try (TarArchiveInputStream tar = new TarArchiveInputStream(
				new GZIPInputStream(new BufferedInputStream(Files.newInputStream(archive))))) {
			for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
				if (entry.isFile() && entry.getName().endsWith("/nats-server")) {
					Files.copy(tar, program);
					if (!program.toFile().setExecutable(true)) {
						throw new IOException("'" + program + "' cannot be made executable");
					}
					return program;
				}
			}
		}
		throw new IOException("the archive holds no nats-server");
	}

	/**
	 * One release.
	 *
	 * @param version its version
	 * @param sums SHA-256 of its archive, by platform
	 */
	record Release(String version, Map<String, String> sums) {

	}

}
