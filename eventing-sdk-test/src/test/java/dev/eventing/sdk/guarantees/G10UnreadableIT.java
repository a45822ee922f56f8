package dev.eventing.sdk.guarantees;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.DeadLetterAction;
import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.DeadLetterStatus;
import dev.eventing.sdk.deadletter.RedriveRequest;
import dev.eventing.sdk.projection.ProjectionGeneration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G10: rebuilds of a projector that reads JetStream, with an event whose id cannot be
 * read. Its letter has an id that is computed from its place.
 */
class G10UnreadableIT {

	private static final String LOST = "lost";

	@AutoClose
	private final World world = World.create();

	@AutoClose
	private final Wire wire = new Wire(this.world.natsUrl());

	private final StreamRebuilds rebuilds = new StreamRebuilds(this.world);

	@Test
	void opensItsLetterAgainWhichARedriveApplies() {
		try (AnnotationConfigApplicationContext application = this.rebuilds.start(new StreamAccounts())) {
			DeadLetter before = publish();
			rebuild(2);
			DeadLetter after = letters().get(0);
			assertThat(after.letterId()).isEqualTo(before.letterId());
			assertThat(after.eventId()).isEqualTo(before.eventId());
			assertThat(after.status()).isEqualTo(DeadLetterStatus.PARKED);
			assertThat(this.world.operators().audit(after.letterId())).extracting((entry) -> entry.action())
				.contains(DeadLetterAction.REBUILT);
			assertThat(this.world.version(World.ACME, LOST)).isZero();
			mendAndRedrive(after);
			assertThat(reasons(DeadLetterStatus.PARKED)).isEmpty();
			this.rebuilds.assertThatTheReadModelIsExact("public", 4);
			assertThat(application.isActive()).isTrue();
		}
	}

	@Test
	void appliesItInItsPlaceOnceItWasMended() {
		try (AnnotationConfigApplicationContext application = this.rebuilds.start(new StreamAccounts())) {
			mendAndRedrive(publish());
			rebuild(2);
			assertThat(this.world.version(World.ACME, LOST)).isEqualTo(2);
			assertThat(letters()).hasSize(2).extracting(DeadLetter::status).containsOnly(DeadLetterStatus.RESOLVED);
			assertThat(application.isActive()).isTrue();
		}
	}

	/** The body of such an event is an envelope, and so is that of an edit. */
	@Test
	void takesTheEnvelopeOfAnEditButNotThatOfAnotherEvent() {
		StreamAccounts accounts = new StreamAccounts();
		accounts.refused.add(LOST);
		String id = "\"id\": \"" + UUID.randomUUID() + "\",";
		try (AnnotationConfigApplicationContext application = this.rebuilds.start(accounts)) {
			publish(id);
			await().until(() -> letters().size() == 1);
			edit(letters().get(0), id, 77);
			accounts.refused.clear();
			this.rebuilds.rebuild();
			this.rebuilds.awaitStatus(2, ProjectionGeneration.Status.LIVE);
			assertThat(this.world.count("select total from account where account = 'lost'")).isEqualTo(77);
			accounts.refused.add(LOST);
			this.rebuilds.rebuild();
			this.rebuilds.awaitStatus(3, ProjectionGeneration.Status.LIVE);
			assertThat(reasons(DeadLetterStatus.PARKED)).containsExactly("NOT_RETRYABLE");
			accounts.refused.clear();
			edit(letters().get(0), "\"id\": \"" + UUID.randomUUID() + "\",", 78);
			this.rebuilds.rebuild();
			this.rebuilds.awaitStatus(4, ProjectionGeneration.Status.LIVE);
			assertThat(reasons(DeadLetterStatus.PARKED)).containsExactly("OTHER_EVENT");
			assertThat(this.world.version(World.ACME, LOST)).isZero();
			edit(letters().get(0), id, 79);
			this.world.operators().redrive(RedriveRequest.of(DeadLetterFilter.ALL, "anna"));
			await().until(() -> this.world.version(World.ACME, LOST) == 1);
			assertThat(this.world.count("select total from account where account = 'lost'")).isEqualTo(79);
			assertThat(application.isActive()).isTrue();
		}
	}

	@Test
	void leavesItOutOnceItsLetterIsDiscarded() {
		try (AnnotationConfigApplicationContext application = this.rebuilds.start(new StreamAccounts())) {
			DeadLetter letter = publish();
			this.world.operators().discard(DeadLetterFilter.ALL, "anna", "a test order");
			rebuild(2);
			assertThat(letters()).extracting(DeadLetter::status).containsOnly(DeadLetterStatus.DISCARDED);
			assertThat(letters()).hasSize(2).first().extracting(DeadLetter::letterId).isEqualTo(letter.letterId());
			assertThat(this.world.version(World.ACME, LOST)).isZero();
			assertThat(application.isActive()).isTrue();
		}
	}

	@Test
	void leavesItOutBesideOnceItsLetterIsDiscarded() {
		try (AnnotationConfigApplicationContext application = this.rebuilds.start(new StreamAccounts())) {
			publish();
			this.world.operators().discard(DeadLetterFilter.ALL, "anna", "a test order");
			this.rebuilds.build();
			this.rebuilds.awaitStatus(2, ProjectionGeneration.Status.READY);
			this.rebuilds.assertThatTheReadModelIsExact("accounts_g2", 4);
			assertThat(this.world.deadLetters(Accounts.PROJECTOR + "#2")).isEmpty();
			this.rebuilds.switchTo(2);
			assertThat(letters()).extracting(DeadLetter::status).containsOnly(DeadLetterStatus.DISCARDED);
			assertThat(application.isActive()).isTrue();
		}
	}

	/** Each generation has a letter of it, which is mended while that one is live. */
	@Test
	void appliesItOnceInEachGenerationThatWasBuiltOrSwitched() {
		try (AnnotationConfigApplicationContext application = this.rebuilds.start(new StreamAccounts())) {
			publish();
			this.rebuilds.build();
			this.rebuilds.awaitStatus(2, ProjectionGeneration.Status.READY);
			assertThat(this.world.deadLetters(Accounts.PROJECTOR + "#2")).hasSize(2);
			this.rebuilds.switchTo(2);
			awaitLetters();
			mendAndRedrive(letters().get(0));
			this.rebuilds.switchTo(1);
			awaitLetters();
			assertThat(this.world.version(World.ACME, LOST)).isZero();
			mendAndRedrive(letters().get(0));
			for (String schema : List.of("public", "accounts_g2")) {
				this.rebuilds.assertThatTheReadModelIsExact(schema, 4);
				assertThat(this.world.count("select total from " + schema + ".account where account = 'lost'"))
					.isEqualTo(3);
			}
			assertThat(application.isActive()).isTrue();
		}
	}

	/** The event and one behind it get letters; others are applied. Returns the first. */
	private DeadLetter publish() {
		this.rebuilds.publishAll(1, 3);
		publish("");
		this.world.publish(World.ACME, LOST, 2, 2);
		this.rebuilds.publishAll(4, 4);
		this.rebuilds.awaitVersions("public", 4);
		awaitLetters();
		return letters().get(0);
	}

	private void publish(String id) {
		this.wire.publish(this.world.root() + ".acme.deposited", Map.of("Content-Type", "application/cloudevents+json"),
				envelope(id, 1));
	}

	private void mendAndRedrive(DeadLetter letter) {
		edit(letter, "\"id\": \"" + letter.eventId() + "\",", 1);
		this.world.operators().redrive(RedriveRequest.of(DeadLetterFilter.ALL, "anna"));
		await().until(() -> this.world.version(World.ACME, LOST) == 2);
	}

	private void edit(DeadLetter letter, String id, int amount) {
		this.world.operators()
			.edit(letter.letterId(), envelope(id, amount).getBytes(StandardCharsets.UTF_8), "anna", "it was wrong");
	}

	private static String envelope(String id, int amount) {
		return """
				{"specversion": "1.0", %s "type": "Deposited", "source": "/test", "tenantid": "acme", "subject": "lost",
				 "data": {"account": "lost", "version": 1, "amount": %s}}""".formatted(id, amount);
	}

	private void rebuild(int generation) {
		this.rebuilds.rebuild();
		this.rebuilds.awaitStatus(generation, ProjectionGeneration.Status.LIVE);
		this.rebuilds.assertThatTheReadModelIsExact("public", 4);
	}

	private void awaitLetters() {
		await().untilAsserted(
				() -> assertThat(reasons(DeadLetterStatus.PARKED)).containsExactly("UNREADABLE:NO_ID", "BEHIND"));
	}

	private List<String> reasons(DeadLetterStatus status) {
		return letters().stream().filter((letter) -> letter.status() == status).map(DeadLetter::reason).toList();
	}

	private List<DeadLetter> letters() {
		return this.world.deadLetters(Accounts.PROJECTOR)
			.stream()
			.sorted(Comparator.comparing(DeadLetter::number))
			.toList();
	}

}
