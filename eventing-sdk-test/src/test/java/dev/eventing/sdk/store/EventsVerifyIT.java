package dev.eventing.sdk.store;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.event.EventType;
import dev.eventing.sdk.event.EventUpcaster;
import dev.eventing.sdk.event.EventVersions;
import dev.eventing.sdk.event.PayloadTypes;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.event.UnboundPayload;
import dev.eventing.sdk.event.WrittenVersions;
import dev.eventing.sdk.store.EventVerification.Unbound;
import dev.eventing.sdk.store.EventVerificationOptions.Progress;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static dev.eventing.sdk.store.StoreWorld.ACME;
import static dev.eventing.sdk.store.StoreWorld.GLOBEX;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** Every stored event is read with the present code, whatever appends do meanwhile. */
class EventsVerifyIT {

	private static final String PAID = "paid";

	@AutoClose
	private final StoreWorld world = StoreWorld.shared();

	private final EventVersions versions = EventVersions.of(List.of(new InCents(), new WithCurrency()), List.of(),
			WrittenVersions.NEWEST);

	private final EventVerifier verifier = new EventVerifier(
			new EventLog(this.world.dataSource(), StoreWorld.SCHEMA, EventJson.mapper(), this.versions),
			() -> List.of(PayloadTypes.<Record>of(Paid.class, Closed.class).byName()));

	@Test
	void eventsOfThreeVersionsBindAndThoseOfATypeThatHasChangedDoNot() {
		append(ACME, PAID, 1, "{\"amount\": 5}");
		append(ACME, PAID, 2, "{\"cents\": 500}");
		append(GLOBEX, PAID, 3, "{\"cents\": 500, \"currency\": \"EUR\"}");
		append(ACME, "closed", 1, "{\"at\": \"secret-noon\"}");
		append(GLOBEX, "closed", 1, "{\"at\": \"secret-noon\"}");
		append(ACME, "forgotten", 1, "{}");
		EventVerification found = this.verifier.verify();
		assertThat(found.events()).isEqualTo(6);
		assertThat(found.upTo()).isEqualTo(6);
		assertThat(found.isClean()).isFalse();
		assertThat(found.unknownTypes()).containsExactly("forgotten");
		Unbound unbound = only(found);
		assertThat(unbound.type()).isEqualTo("closed");
		assertThat(unbound.version()).isEqualTo(1);
		assertThat(unbound.events()).isEqualTo(2);
		assertThat(unbound.positions()).containsExactly(4L, 5L);
		assertThat(unbound.problem()).isNotBlank().doesNotContain("secret");
	}

	@Test
	void aTypeThatNoClassTakesIsNoMistake() {
		append(ACME, "forgotten", 1, "{}");
		assertThat(this.verifier.verify().isClean()).isTrue();
	}

	@Test
	void onlyThoseOfATenantFromAPositionOnAreVerified() {
		for (int i = 0; i < 3; i++) {
			append(ACME, "closed", 1, "{\"at\": \"noon\"}");
			append(GLOBEX, "closed", 1, "{\"at\": \"noon\"}");
		}
		EventVerification found = this.verifier
			.verify(EventVerificationOptions.all().from(3).ofTenant(GLOBEX).listing(1));
		assertThat(found.events()).isEqualTo(2);
		assertThat(only(found).events()).isEqualTo(2);
		assertThat(only(found).positions()).containsExactly(4L);
	}

	@Test
	void eventsBehindAnOpenTransactionAreVerifiedWithoutWaiting() {
		try (OpenAppend open = OpenAppend.in(this.world)) {
			open.append("stays-open");
			append(ACME, "closed", 1, "{\"at\": \"noon\"}");
			EventVerification found = this.verifier.verify();
			assertThat(found.events()).isEqualTo(1);
			assertThat(only(found).positions()).containsExactly(2L);
			open.rollBack();
		}
	}

	@Test
	void manyEventsAreReadPageByPage() {
		for (int i = 0; i < 3; i++) {
			this.world.append(ACME, "many-" + i, ExpectedVersion.any(),
					IntStream.range(0, 400)
						.mapToObj((cents) -> event(PAID, 2, "{\"cents\": " + cents + "}"))
						.toArray(NewEvent[]::new));
		}
		List<Progress> told = new ArrayList<>();
		EventVerification found = this.verifier.verify(EventVerificationOptions.all().telling(told::add));
		assertThat(found.events()).isEqualTo(1200);
		assertThat(found.isClean()).isTrue();
		assertThat(told).hasSizeGreaterThan(1)
			.isSortedAccordingTo((one, other) -> Long.compare(one.position(), other.position()))
			.endsWith(new Progress(1200, 1200, 1200));
	}

	private static Unbound only(EventVerification found) {
		assertThat(found.unbound()).hasSize(1);
		return found.unbound().get(0);
	}

	private void append(TenantId tenant, String type, int version, String payload) {
		this.world.append(tenant, "account-1", ExpectedVersion.any(), event(type, version, payload));
	}

	private static NewEvent event(String type, int version, String payload) {
		return NewEvent.of(UnboundPayload.of(payload.getBytes(UTF_8), EventJson.mapper()).writtenAs(type, version))
			.withType(type);
	}

	@EventType(value = PAID, version = 3)
	record Paid(long cents, String currency) {
	}

	@EventType("closed")
	record Closed(int at) {
	}

	/** Makes version 2. */
	private static final class InCents implements EventUpcaster {

		@Override
		public String eventType() {
			return PAID;
		}

		@Override
		public int fromVersion() {
			return 1;
		}

		@Override
		public JsonNode upcast(JsonNode payload) {
			return ((ObjectNode) payload).put("cents", payload.path("amount").asLong() * 100);
		}

	}

	/** Makes version 3. */
	private static final class WithCurrency implements EventUpcaster {

		@Override
		public String eventType() {
			return PAID;
		}

		@Override
		public int fromVersion() {
			return 2;
		}

		@Override
		public JsonNode upcast(JsonNode payload) {
			return ((ObjectNode) payload).put("currency", "EUR");
		}

	}

}
