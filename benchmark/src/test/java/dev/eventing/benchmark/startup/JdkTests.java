package dev.eventing.benchmark.startup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class JdkTests {

	@TempDir
	Path home;

	@Test
	void sharesClassDataOnJdk17() throws IOException {
		assertThat(jdk("17.0.15").sharings()).containsExactly(Sharing.PLAIN, Sharing.CLASS_DATA);
	}

	@Test
	void usesTheAotCacheFromJdk25() throws IOException {
		assertThat(jdk("25.0.3").sharings()).containsExactly(Sharing.PLAIN, Sharing.CLASS_DATA, Sharing.AOT_CACHE);
	}

	@Test
	void takesTheRunningJdk() {
		Jdk running = Jdk.of(Path.of(System.getProperty("java.home")));
		assertThat(Path.of(running.java())).isExecutable();
	}

	@Test
	void refusesADirectoryWithoutJdk() {
		assertThatIllegalArgumentException().isThrownBy(() -> Jdk.of(this.home)).withMessageContaining("is no JDK");
	}

	private Jdk jdk(String version) throws IOException {
		Files.writeString(this.home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
		return Jdk.of(this.home);
	}

}
