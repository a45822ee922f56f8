package dev.eventing.sdk.projector.attempt;

import java.util.UUID;

import dev.eventing.sdk.deadletter.EventIdentity;
import dev.eventing.sdk.event.TenantId;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DeadLetterFactoryTests {

	private static final UUID ID = UUID.fromString("0195f2c4-7b1a-7c3e-8f00-0123456789ab");

	@Test
	void printsWhatIsKnownOfAnEventOnOneLine() {
		assertThat(DeadLetterFactory
			.describe(new EventIdentity(TenantId.of("acme"), ID, "placed\nERROR forged\u001b[0m", "key\n")))
			.isEqualTo("event " + ID + " (placed\\u000aERROR forged\\u001b[0m) of tenant 'acme'");
	}

	@Test
	void saysThatAnEventHasNoTenantAndNoType() {
		assertThat(DeadLetterFactory.describe(new EventIdentity(null, ID, null, null)))
			.isEqualTo("event " + ID + " (no type) without a tenant");
	}

}
