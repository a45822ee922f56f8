package dev.eventing.sdk.projector.effect;

import java.util.HashSet;
import java.util.Set;
import java.util.UUID;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.event.TenantId;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class EffectIdsTests {

	private static final ProjectorId ORDERS = ProjectorId.of("orders");

	private static final TenantId ACME = TenantId.of("acme");

	private static final UUID EVENT = UUID.fromString("0190b2a4-7b6e-7c31-9d51-0c7a5a3f1b11");

	/** Events that are stored have it: it must never be another one. */
	@Test
	void isTheSameInEveryReleaseOfTheSdk() {
		assertThat(EffectIds.derive(ORDERS, ACME, EVENT, 1))
			.isEqualTo(UUID.fromString("be5af29f-c3a3-51a5-8c4d-027433a1b314"));
	}

	@Test
	void isNameBased() {
		UUID id = EffectIds.derive(ORDERS, ACME, EVENT, 1);
		assertThat(id.version()).isEqualTo(5);
		assertThat(id.variant()).isEqualTo(2);
	}

	@Test
	void isTheSameInAllGenerations() {
		assertThat(EffectIds.derive(ORDERS.ofGeneration(2), ACME, EVENT, 3))
			.isEqualTo(EffectIds.derive(ORDERS, ACME, EVENT, 3));
	}

	@Test
	void differsByProjectorTenantEventAndNumber() {
		Set<UUID> ids = new HashSet<>();
		for (String projector : new String[] { "orders", "ordersa", "order" }) {
			for (String tenant : new String[] { "acme", "cme", "sacme" }) {
				for (long event = 0; event < 3; event++) {
					for (int n = 1; n < 4; n++) {
						ids.add(EffectIds.derive(ProjectorId.of(projector), TenantId.of(tenant), new UUID(event, 1),
								n));
					}
				}
			}
		}
		assertThat(ids).hasSize(81);
	}

}
