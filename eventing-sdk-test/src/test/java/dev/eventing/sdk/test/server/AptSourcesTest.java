package dev.eventing.sdk.test.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

class AptSourcesTest {

	@TempDir
	Path directory;

	@Test
	void asksTheMachinesOwnMirrorForAnotherSuite() throws IOException {
		write("sources.list.d/main.sources", """
				Types: deb
				# where this image was made from
				URIs: http://mirror.example.test/linux
				Suites: bookworm bookworm-updates
				Components: main
				Signed-By: /usr/share/keyrings/archive.gpg

				Types: deb
				URIs: http://mirror.example.test/security
				Suites: bookworm-security
				Components: main
				""");
		assertThat(AptSources.read(this.directory, "bookworm").inSuite("sid")).isEqualTo("""
				Types: deb
				URIs: http://mirror.example.test/linux
				Suites: sid
				Components: main
				Signed-By: /usr/share/keyrings/archive.gpg
				""");
	}

	@Test
	void readsOneLineSources() throws IOException {
		write("sources.list", """
				# deb http://old.example.test/linux bookworm main
				deb [arch=amd64 signed-by=/etc/keys/a.gpg] http://mirror.example.test/linux bookworm main contrib
				deb-src http://mirror.example.test/linux bookworm main
				""");
		assertThat(AptSources.read(this.directory, "bookworm").inSuite("trixie")).isEqualTo("""
				Types: deb
				URIs: http://mirror.example.test/linux
				Suites: trixie
				Components: main contrib
				Signed-By: /etc/keys/a.gpg
				""");
	}

	@Test
	void leavesOtherVendorsAlone() throws IOException {
		write("sources.list.d/vendor.list", "deb http://vendor.example.test bookworm stable\n");
		write("sources.list.d/off.sources", """
				Enabled: no
				Types: deb
				URIs: http://mirror.example.test/linux
				Suites: bookworm
				Components: main
				""");
		assertThatIOException().isThrownBy(() -> AptSources.read(this.directory, "bookworm"))
			.withMessageContaining("'bookworm'");
	}

	private void write(String name, String text) throws IOException {
		Path file = this.directory.resolve(name);
		Files.createDirectories(file.resolveSibling(""));
		Files.writeString(file, text);
	}

}
