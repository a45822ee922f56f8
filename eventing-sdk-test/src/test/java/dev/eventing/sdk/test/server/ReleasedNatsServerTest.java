package dev.eventing.sdk.test.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

import com.sun.net.httpserver.HttpServer;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

class ReleasedNatsServerTest {

	@TempDir
	Path directory;

	private byte[] archive = new byte[0];

	private HttpServer http;

	@BeforeEach
	void serveAnArchive() throws IOException {
		this.archive = archive("#!/bin/sh\necho 'nats-server: v2.14.9'\n");
		this.http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.http.createContext("/v2.14.9/nats-server-v2.14.9-linux-amd64.tar.gz", (exchange) -> {
			exchange.sendResponseHeaders(200, this.archive.length);
			exchange.getResponseBody().write(this.archive);
			exchange.close();
		});
		this.http.start();
	}

	@AfterEach
	void stopServing() {
		this.http.stop(0);
	}

	@Test
	void refusesAnArchiveWhoseChecksumDiffers() {
		ReleasedNatsServer source = source("linux-amd64", "0".repeat(64), "amd64");
		assertThatIOException().isThrownBy(() -> source.find(NatsServerLine.NEWEST))
			.withMessageContaining("pinned is " + "0".repeat(64) + "; it is not used");
		assertThat(this.directory.resolve("nats-server")).doesNotExist();
	}

	@Test
	void keepsAnArchiveWhoseChecksumMatches() throws Exception {
		String sum = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(this.archive));
		NatsServerBinary found = source("linux-amd64", sum, "amd64").find(NatsServerLine.NEWEST);
		assertThat(found.version()).isEqualTo(new Version(2, 14, 9));
		assertThat(found.path()).isEqualTo(this.directory.resolve("nats-server/2.14.9/nats-server")).isExecutable();
		assertThat(new CachedNatsServer(new ServerCache(this.directory)).find(NatsServerLine.NEWEST)).isEqualTo(found);
		assertThat(this.directory.toFile().list()).containsExactlyInAnyOrder("lock", "nats-server");
	}

	@Test
	void skipsAPlatformWithoutAKnownChecksum() {
		ReleasedNatsServer source = source("linux-amd64", "0".repeat(64), "riscv64");
		assertThatIOException().isThrownBy(() -> source.find(NatsServerLine.NEWEST))
			.withMessageContaining("no archive with a known checksum for 'linux-riscv64'");
	}

	private ReleasedNatsServer source(String platform, String sum, String arch) {
		URI releases = URI.create("http://127.0.0.1:" + this.http.getAddress().getPort() + "/");
		Machine machine = new Machine(Map.of("os.name", "Linux", "os.arch", arch), Map.of(), this.directory,
				this.directory, releases);
		return new ReleasedNatsServer(machine, new ServerCache(this.directory),
				Map.of(NatsServerLine.NEWEST, new ReleasedNatsServer.Release("2.14.9", Map.of(platform, sum))));
	}

	private static byte[] archive(String program) throws IOException {
		byte[] bytes = program.getBytes(StandardCharsets.UTF_8);
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		try (TarArchiveOutputStream tar = new TarArchiveOutputStream(new GZIPOutputStream(out))) {
			TarArchiveEntry entry = new TarArchiveEntry("nats-server-v2.14.9-linux-amd64/nats-server");
			entry.setSize(bytes.length);
			tar.putArchiveEntry(entry);
			tar.write(bytes);
			tar.closeArchiveEntry();
		}
		return out.toByteArray();
	}

}
