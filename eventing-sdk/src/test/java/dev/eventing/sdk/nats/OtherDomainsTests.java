package dev.eventing.sdk.nats;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Which subjects are tried for a filter. */
class OtherDomainsTests {

	@Test
	void takesATokenForEachWildcard() {
		assertThat(OtherDomains.examples("orders.placed")).containsExactly("orders.placed");
		assertThat(OtherDomains.examples("orders.*.placed")).containsExactly("orders.eventing-probe.placed");
	}

	@Test
	void triesSeveralLengthsForAnOpenEnd() {
		assertThat(OtherDomains.examples("orders.>")).containsExactly("orders.eventing-probe",
				"orders.eventing-probe.eventing-probe", "orders.eventing-probe.eventing-probe.eventing-probe");
		assertThat(OtherDomains.examples(">")).startsWith("eventing-probe");
	}

}
