package dev.eventing.sdk.deadletter;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;

import dev.eventing.sdk.deadletter.ledger.JdbcDeadLetters;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.fixture.Fixture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** A scope of one tenant neither shows nor changes other tenants' letters. */
class DeadLetterTenantsIT {

	private static final TenantId ACME = TenantId.of("acme");

	private static final TenantId GLOBEX = TenantId.of("globex");

	private static final String ACTOR = "anna";

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private final LetterBox box = new LetterBox(this.fixture);

	private final DeadLetters all = new JdbcDeadLetters(this.box.dataSource, LetterBox.SCHEMA, JsonMapper.shared());

	private final DeadLetters acme = this.all.scopedTo(ACME);

	private UUID acmes;

	private UUID globexes;

	/** Of which the tenant could not be told. */
	private UUID nobodys;

	@BeforeEach
	void addLettersOfBothTenants() {
		// Alike in all but the tenant: projector, type, error, key.
		this.acmes = this.box.failed("orders", "acme", "o-1");
		this.globexes = this.box.failed("orders", "globex", "o-1");
		this.nobodys = this.box.failed("orders", null, null);
	}

	/** Every way of naming the other's letters. */
	private List<DeadLetterFilter> filters() {
		return List.of(DeadLetterFilter.ALL, DeadLetterFilter.of(this.globexes, this.nobodys),
				DeadLetterFilter.ALL.withTenantId(GLOBEX), DeadLetterFilter.of(this.globexes).withTenantId(GLOBEX),
				DeadLetterFilter.ALL.withProjector("orders"), DeadLetterFilter.ALL.withEventType("order.placed"),
				DeadLetterFilter.ALL.withErrorClass("java.lang.IllegalStateException"),
				DeadLetterFilter.ALL.withOrderingKey("o-1"), DeadLetterFilter.ALL.withStatus(DeadLetterStatus.PARKED));
	}

	private Stream<UUID> others() {
		return Stream.of(this.globexes, this.nobodys);
	}

	@Test
	void showsNoneOfTheOthersLetters() {
		for (DeadLetterFilter filter : filters()) {
			assertThat(this.acme.find(filter, null, 10).letters()).as(filter.toString())
				.extracting(DeadLetterSummary::letterId)
				.isSubsetOf(this.acmes);
			assertThat(this.acme.count(filter)).as(filter.toString()).isLessThanOrEqualTo(1);
		}
		assertThat(this.acme.get(this.acmes)).isPresent();
		others().forEach((other) -> assertThat(this.acme.get(other)).isEmpty());
		assertThat(this.all.find(DeadLetterFilter.ALL, null, 10).letters()).hasSize(3);
	}

	@Test
	void countsNoneOfTheOthersLetters() {
		for (DeadLetterFilter filter : filters()) {
			DeadLetterStats stats = this.acme.stats(filter, Duration.ofHours(1), 2);
			assertThat(stats.groups()).as(filter.toString())
				.extracting(DeadLetterStats.Group::tenantId)
				.isSubsetOf(ACME);
			assertThat(stats.overTime().stream().mapToLong(DeadLetterStats.Interval::letters).sum())
				.as(filter.toString())
				.isLessThanOrEqualTo(1);
		}
	}

	@Test
	void redrivesNoneOfTheOthersLetters() {
		for (DeadLetterFilter filter : filters()) {
			assertThat(this.acme.plan(filter).letters()).as(filter.toString()).isLessThanOrEqualTo(1);
			this.acme.redrive(RedriveRequest.of(filter, ACTOR));
		}
		assertThat(status(this.acmes)).isEqualTo(DeadLetterStatus.REDRIVING);
		others().forEach((other) -> assertUntouched(other));
		assertThat(this.box.jdbc.queryForList("select tenant_id from eventing.dead_letter_redrives", String.class))
			.containsExactly("acme");
	}

	@Test
	void showsNoProgressOfTheOthersRedrives() {
		UUID redriveId = Objects
			.requireNonNull(this.all.redrive(RedriveRequest.of(DeadLetterFilter.of(this.globexes), ACTOR)).redriveId());
		assertThat(this.acme.progress(redriveId)).isEqualTo(new RedriveProgress(redriveId, 0, 0, 0, 0));
		assertThat(this.all.scopedTo(GLOBEX).progress(redriveId).waiting()).isEqualTo(1);
		UUID ofBoth = Objects
			.requireNonNull(this.all.redrive(RedriveRequest.of(DeadLetterFilter.ALL, ACTOR)).redriveId());
		assertThat(this.acme.progress(ofBoth).letters()).isEqualTo(1);
	}

	@Test
	void discardsNoneOfTheOthersLetters() {
		for (DeadLetterFilter filter : filters()) {
			assertThat(this.acme.planDiscard(filter)).as(filter.toString()).isLessThanOrEqualTo(1);
			this.acme.discard(filter, ACTOR, "not needed");
		}
		assertThat(status(this.acmes)).isEqualTo(DeadLetterStatus.DISCARDED);
		others().forEach((other) -> assertUntouched(other));
	}

	@Test
	void releasesNoneOfTheOthersLetters() {
		UUID behindGlobex = this.box.behind("orders", "globex", "o-1");
		UUID behindAcme = this.box.behind("orders", "acme", "o-1");
		this.acme.discard(DeadLetterFilter.of(this.acmes), ACTOR, "not needed");
		assertThat(status(behindAcme)).isEqualTo(DeadLetterStatus.REDRIVING);
		assertUntouched(behindGlobex);
	}

	@Test
	void editsNoneOfTheOthersLetters() {
		others().forEach((other) -> {
			assertThatExceptionOfType(UnknownDeadLetterException.class)
				.isThrownBy(() -> this.acme.edit(other, new byte[0], ACTOR, "mine now"));
			assertUntouched(other);
		});
		this.acme.edit(this.acmes, new byte[0], ACTOR, "typing error");
		assertThat(this.all.get(this.acmes).orElseThrow().handling().edited()).isNotNull();
	}

	@Test
	void showsNoAuditOfTheOthersLetters() {
		this.all.discard(DeadLetterFilter.ALL, ACTOR, "secret reason");
		others().forEach((other) -> assertThat(this.acme.audit(other)).isEmpty());
		assertThat(this.acme.audit(this.acmes)).hasSize(1);
	}

	@Test
	void cannotBeScopedAnew() {
		assertThat(this.acme.scope()).isEqualTo(ACME);
		assertThat(this.acme.scopedTo(ACME).count(DeadLetterFilter.ALL)).isEqualTo(1);
		assertThatIllegalArgumentException().isThrownBy(() -> this.acme.scopedTo(GLOBEX));
	}

	private DeadLetterStatus status(UUID letterId) {
		return this.all.get(letterId).orElseThrow().status();
	}

	private void assertUntouched(UUID letterId) {
		assertThat(status(letterId)).isEqualTo(DeadLetterStatus.PARKED);
		assertThat(this.all.audit(letterId)).isEmpty();
		LetterHandling handling = this.all.get(letterId).orElseThrow().handling();
		assertThat(handling.redriven()).isEqualTo(LetterHandling.Redriven.NEVER);
		assertThat(handling.edited()).isNull();
		assertThat(handling.closedAt()).isNull();
		assertThat(this.box.isProcessed(letterId)).isFalse();
	}

}
