package dev.eventing.sdk.liveview.frame;

import dev.eventing.sdk.event.TenantId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class FrameSubjectsTests {

	private static final TenantId ACME = TenantId.of("acme");

	@ParameterizedTest
	@CsvSource({ "order-1_A,order-1_A", "a.b,a%2Eb", "*,%2A", ">,%3E", "a b,a%20b", "ü,%C3%BC", "%,%25", "=,%3D",
			"$digest,%24digest" })
	void encodesAKeyAsOneToken(String key, String token) {
		assertThat(FrameSubjects.of(ACME, "stock", key)).isEqualTo("projection.acme.stock." + token);
	}

	@Test
	void hashesATokenOfMoreThanAKilobyte() {
		assertThat(FrameSubjects.token("k".repeat(1024))).hasSize(1024);
		assertThat(FrameSubjects.token("k".repeat(1025))).matches("=[0-9a-f]{64}");
		assertThat(FrameSubjects.token(".".repeat(342))).matches("=[0-9a-f]{64}")
			.isNotEqualTo(FrameSubjects.token(".".repeat(343)));
	}

}
