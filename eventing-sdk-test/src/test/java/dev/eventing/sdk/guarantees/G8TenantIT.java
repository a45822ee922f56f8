package dev.eventing.sdk.guarantees;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.Failure;
import dev.eventing.sdk.event.InvalidTenantIdException;
import dev.eventing.sdk.event.TenantId;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * G8: a tenant's event reaches a handler only under that tenant: subject, header and
 * envelope agree, or it is dead-lettered.
 */
class G8TenantIT {

	@AutoClose
	private final World world = World.create();

	@AutoClose
	private final Wire wire = new Wire(this.world.natsUrl());

	@Test
	void appliesTheSameIdOfTwoTenantsForEach() {
		Accounts accounts = new Accounts();
		UUID id = UUID.randomUUID();
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(accounts))) {
			publishBinary("acme", "acme", id);
			publishBinary("globex", "globex", id);
			await().until(() -> this.world.version(TenantId.of("globex"), "a") == 1);
			await("another lane's").until(() -> this.world.version(World.ACME, "a") == 1);
			assertThat(World.status(application, Accounts.PROJECTOR).counts().duplicates()).isZero();
		}
	}

	@Test
	void refusesAHeaderThatNamesAnotherTenantThanTheSubject() {
		assertRefused("TENANT_MISMATCH", () -> publishBinary("acme", "globex", UUID.randomUUID()));
	}

	@Test
	void refusesAnEnvelopeThatNamesAnotherTenantThanTheSubject() {
		assertRefused("TENANT_MISMATCH", () -> this.wire.publish(subject("acme"), Map.of(), envelope("globex")));
	}

	@Test
	void refusesAStructuredEventThatNamesAnotherTenantThanTheSubject() {
		String body = "{\"specversion\":\"1.0\",\"id\":\"" + UUID.randomUUID()
				+ "\",\"type\":\"Deposited\",\"source\":\"test\",\"subject\":\"a\",\"tenantid\":\"globex\",\"data\":"
				+ payload() + "}";
		assertRefused("TENANT_MISMATCH",
				() -> this.wire.publish(subject("acme"), Map.of("Content-Type", "application/cloudevents+json"), body));
	}

	@Test
	void refusesAHeaderThatNamesAnotherTenantThanTheEnvelope() {
		assertRefused("TENANT_MISMATCH",
				() -> this.wire.publish(subject("acme"), Map.of("ce-tenantid", "globex"), envelope("acme")));
	}

	@Test
	void keepsALetterOfEachOfTwoMismatchesUnderOneId() {
		UUID id = UUID.randomUUID();
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(new Accounts()))) {
			publishBinary("acme", "globex", id);
			publishBinary("globex", "acme", id);
			await().until(() -> World.status(application, Accounts.PROJECTOR).counts().deadLetters() == 2);
			assertThat(this.world.deadLetters(Accounts.PROJECTOR)).hasSize(2);
		}
	}

	/** The letter has another id, and its event is looked for at the publisher. */
	@Test
	void theLetterOfAnEventWithoutATenantShowsTheIdOfItsPublisher() {
		UUID mismatch = UUID.randomUUID();
		UUID tenantless = UUID.randomUUID();
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(new Accounts(), new Everything()))) {
			publishBinary("acme", "globex", mismatch);
			assertShown(Accounts.PROJECTOR, mismatch);
			publishBinary("acme", "", tenantless);
			await().until(() -> World.status(application, "everything").counts().deadLetters() == 1);
			assertShown("everything", tenantless);
		}
	}

	private void assertShown(String projector, UUID publishersId) {
		await()
			.untilAsserted(() -> assertThat(this.world.deadLetters(projector)).singleElement().satisfies((letter) -> {
				assertThat(letter.eventId()).isNotEqualTo(publishersId);
				assertThat(letter.failure()).isNotNull()
					.extracting(Failure::message)
					.asString()
					.endsWith("The publisher's id of the event is '" + publishersId + "'.");
			}));
	}

	@Test
	void refusesATenantThatIsAWildcard() {
		assertRefused("INVALID_TENANT", () -> publishBinary("acme", ">", UUID.randomUUID()));
		assertRefused("INVALID_TENANT", () -> publishBinary("acme", "*", UUID.randomUUID()));
	}

	@Test
	void refusesAnEventWhoseTenantNobodyNames() {
		Everything everything = new Everything();
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(everything))) {
			publishBinary("acme", "", UUID.randomUUID());
			await().until(() -> World.status(application, "everything").counts().deadLetters() == 1);
			assertThat(this.world.deadLetters("everything").get(0).reason()).isEqualTo("UNREADABLE:NO_TENANT");
			assertThat(everything.called).isFalse();
		}
	}

	@Test
	void takesTheTenantFromTheTokenThatTheHandlerOfTheEventNames() {
		Regions regions = new Regions();
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(regions))) {
			publishOf("Withdrawn", this.world.root() + ".north.acme.withdrawn");
			publishOf("Deposited", this.world.root() + ".globex.north.deposited");
			publishOf("Unknown", this.world.root() + ".initech.deposited");
			await().until(() -> World.status(application, "regions").counts().processed() == 3);
			assertThat(regions.tenants).containsExactlyInAnyOrder("withdrawn acme", "deposited globex",
					"other initech");
		}
	}

	@Test
	void refusesAnEventWhoseHandlerNamesNoTokenWhileOthersNameTwo() {
		Regions regions = new Regions();
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(regions))) {
			publishOf("Unknown", this.world.root() + ".north.acme.withdrawn");
			await().until(() -> World.status(application, "regions").counts().deadLetters() == 1);
			assertThat(this.world.deadLetters("regions").get(0).reason()).isEqualTo("UNREADABLE:NO_TENANT");
			assertThat(regions.tenants).isEmpty();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "*", ">", "a.b", "", "a b", "$JS", "tenant\n", "ü" })
	void refusesToPublishUnderATenantThatIsNoSubjectToken(String tenant) {
		assertThatExceptionOfType(InvalidTenantIdException.class)
			.isThrownBy(() -> this.world.publish(this.world.deposit(TenantId.of(tenant), "a", 1)));
	}

	private void assertRefused(String reason, Runnable publish) {
		Accounts accounts = new Accounts();
		int before = this.world.deadLetters(Accounts.PROJECTOR).size();
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(accounts))) {
			publish.run();
			await().until(() -> World.status(application, Accounts.PROJECTOR).counts().deadLetters() == 1);
			assertThat(accounts.calls).isEmpty();
			assertThat(this.world.deadLetters(Accounts.PROJECTOR)).hasSize(before + 1)
				.allSatisfy((letter) -> assertThat(letter).extracting(DeadLetter::reason, DeadLetter::tenantId)
					.containsExactly("UNREADABLE:" + reason, null));
		}
	}

	private void publishBinary(String subjectTenant, String headerTenant, UUID id) {
		Map<String, String> headers = new HashMap<>(Map.of("ce-specversion", "1.0", "ce-id", id.toString(), "ce-type",
				"Deposited", "ce-source", "test", "ce-subject", "a", "ce-tenantid", headerTenant));
		headers.values().removeIf(String::isEmpty);
		this.wire.publish(subject(subjectTenant), headers, payload());
	}

	private void publishOf(String type, String subject) {
		this.wire.publish(subject, Map.of("ce-specversion", "1.0", "ce-id", UUID.randomUUID().toString(), "ce-type",
				type, "ce-source", "test", "ce-subject", "a"), payload());
	}

	private String subject(String tenant) {
		return this.world.root() + "." + tenant + ".deposited";
	}

	private static String envelope(String tenant) {
		return "{\"eventId\":\"" + UUID.randomUUID()
				+ "\",\"eventType\":\"Deposited\",\"timestamp\":\"2026-01-01T00:00:00Z\"," + "\"tenantId\":\"" + tenant
				+ "\",\"payload\":" + payload() + ",\"metadata\":{\"streamId\":\"a\"}}";
	}

	private static String payload() {
		return "{\"account\":\"a\",\"version\":1,\"amount\":1}";
	}

	/** A projector whose subject names no tenant. */
	static class Everything {

		private volatile boolean called;

		@ProjectorEventHandler(subject = "${root}.>", projectorName = "everything")
		public void on(Deposited event) {
			this.called = true;
		}

	}

	/** A projector whose subjects have the tenant at different tokens. */
	static class Regions {

		private final List<String> tenants = new CopyOnWriteArrayList<>();

		@ProjectorEventHandler(subject = "${root}.{tenant}.>", projectorName = "regions")
		public void on(Deposited event, UUID eventId, String tenantId) {
			this.tenants.add("deposited " + tenantId);
		}

		@ProjectorEventHandler(subject = "${root}.north.{tenant}.withdrawn", projectorName = "regions")
		public void on(Withdrawn event, UUID eventId, String tenantId) {
			this.tenants.add("withdrawn " + tenantId);
		}

		@ProjectorEventHandler(subject = "${root}.>", projectorName = "regions")
		public void on(JsonNode event, UUID eventId, String tenantId) {
			this.tenants.add("other " + tenantId);
		}

	}

}
