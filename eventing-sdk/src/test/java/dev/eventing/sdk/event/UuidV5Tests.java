package dev.eventing.sdk.event;

import java.util.UUID;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class UuidV5Tests {

	@Test
	void givesTheUuidOfTheStandardsExample() {
		// RFC 9562, appendix A.4: "www.example.com" in the DNS namespace.
		UUID dns = UUID.fromString("6ba7b810-9dad-11d1-80b4-00c04fd430c8");
		assertThat(UuidV5.of(dns, "www.example.com")).hasToString("2ed6657d-e927-568b-95e1-2665a8aea6a2");
	}

	@Test
	void setsVersionAndVariant() {
		for (int i = 0; i < 100; i++) {
			UUID uuid = UuidV5.of("/orders", "order-" + i);
			assertThat(uuid.version()).isEqualTo(5);
			assertThat(uuid.variant()).isEqualTo(2);
		}
	}

	@Test
	void givesTheSameForTheSameAndNothingElse() {
		assertThat(UuidV5.of("/orders", "1")).isEqualTo(UuidV5.of("/orders", "1"))
			.isNotEqualTo(UuidV5.of("/orders", "2"))
			.isNotEqualTo(UuidV5.of("/users", "1"));
		assertThat(UuidV5.of("a", "bc")).isNotEqualTo(UuidV5.of("ab", "c"));
	}

	@Test
	void neverChangesAcrossReleases() {
		// Computed from the definition by other means: ids are stored for years.
		assertThat(UuidV5.of("/orders", "42")).hasToString("e164390b-04c8-5d36-837f-8d7b5f718e4e");
	}

}
