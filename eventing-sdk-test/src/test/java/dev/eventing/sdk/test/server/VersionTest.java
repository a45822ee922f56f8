package dev.eventing.sdk.test.server;

import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class VersionTest {

	@Test
	void comparesNumbersAndNotLetters() {
		assertThat(Stream.of("2.10.0", "2.9.25", "2.10.27", "2.2.0", "10.0.0").map(Version::parse).sorted())
			.extracting(Version::toString)
			.containsExactly("2.2.0", "2.9.25", "2.10.0", "2.10.27", "10.0.0");
	}

	@Test
	void readsWhatTheServerSaysOfItself() {
		assertThat(Version.parse("nats-server: v2.10.27")).isEqualTo(new Version(2, 10, 27));
		assertThat(Version.parse("nats-server: v2.15.1-RC.2+deb1")).isEqualTo(new Version(2, 15, 1));
		assertThat(Version.parse("2.14")).isEqualTo(new Version(2, 14, 0));
	}

	@Test
	void refusesTextWithoutAVersion() {
		assertThatIllegalArgumentException().isThrownBy(() -> Version.parse("nats-server: dev"))
			.withMessageContaining("'nats-server: dev'");
	}

	@Test
	void isAtLeastItself() {
		Version floor = new Version(2, 10, 0);
		assertThat(floor.isAtLeast(floor)).isTrue();
		assertThat(new Version(2, 9, 99).isAtLeast(floor)).isFalse();
	}

}
