package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.Optional;

import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import dev.eventing.sdk.projection.ProjectionRequest.What;
import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.Projectors;
import dev.eventing.sdk.projection.RequestRefusedException;
import dev.eventing.sdk.projection.SwitchOptions;
import dev.eventing.sdk.projection.ledger.JdbcProjections;
import dev.eventing.sdk.projection.ledger.JdbcProjectors;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** G11: whether a roll back is possible is known before it is needed. */
class G11WayBackIT {

	private static final String ABSENT = "No node has reported version 1 of the projector in the last 15 s. "
			+ "No other version feeds generation 1.";

	@AutoClose
	private final World world = World.create();

	private final Projections operators = new JdbcProjections(this.world.jdbc().getDataSource(),
			EventingSchema.defaults());

	private final Projectors projectors = new JdbcProjectors(this.world.jdbc().getDataSource(),
			EventingSchema.defaults());

	@BeforeEach
	void createTable() {
		this.world.jdbc()
			.execute("create table fees (account text primary key, deposits bigint not null, fee bigint not null)");
	}

	@Test
	void saysThatNoNodeHasTheVersionAndRefusesARollBackInsteadOfLettingItWait() {
		this.world.append(World.ACME, "a", 1, 3);
		try (AnnotationConfigApplicationContext later = startBothAndSwitch()) {
			assertThat(note()).isEmpty();
			requestRollBack();
			await().until(() -> status() == Status.FAILED);
			assertThat(detail()).isEqualTo(ABSENT);
			assertThat(note()).hasValue("cannot roll back: " + ABSENT);
			assertThat(overview()).isEqualTo("cannot roll back: " + ABSENT);
			assertThat(this.operators.plan("fees", What.switchTo(1, SwitchOptions.STRICT)).obstacles())
				.containsExactly(ABSENT);
			assertThatExceptionOfType(RequestRefusedException.class).isThrownBy(this::requestRollBack)
				.withMessage("Generation 1 of 'fees' cannot become live again. " + ABSENT);
			try (AnnotationConfigApplicationContext again = start(new G11VersionsIT.First())) {
				await().until(() -> note().isEmpty());
				requestRollBack();
				await().until(() -> status() == Status.DONE);
				assertThat(again.isActive()).isTrue();
			}
			assertThat(later.isActive()).isTrue();
		}
	}

	@Test
	void saysWhatOfTheTablesStandsInTheWay() {
		this.world.append(World.ACME, "a", 1, 3);
		try (AnnotationConfigApplicationContext both = start(new G11VersionsIT.First(), new G11VersionsIT.Second())) {
			await().until(() -> deposits() == 3);
			buildAndSwitch();
			this.world.jdbc().execute("create index by_fee on fees (fee)");
			String differs = "The tables of generation 1 are not as the live ones are: index by_fee of table 'fees'."
					+ " Retire the generation, and build another.";
			await().until(this::note, Optional.of("cannot roll back: " + differs)::equals);
			// its node reports every few seconds
			await().until(() -> overview().startsWith("cannot roll back: " + differs + "; feeding generation 1"));
			assertThat(this.operators.plan("fees", What.switchTo(1, SwitchOptions.STRICT)).obstacles())
				.containsExactly(differs);
			this.world.jdbc().execute("drop index by_fee; alter table fees add column note text");
			await().until(this::note,
					Optional.of("cannot roll back: Readers would lose columns: in generation 1 column 'note' of table"
							+ " 'fees' is missing. Consider --accept-lost-columns if no reader needs them.")::equals);
			this.world.jdbc().execute("alter table fees_g1.fees add column note text; create view v as table fees");
			await().until(() -> note().orElse("").contains("view v"));
			this.world.jdbc().execute("drop view v");
			await().until(() -> note().isEmpty());
			assertThat(both.isActive()).isTrue();
		}
	}

	/** Leaves a node that has the new version alone. */
	private AnnotationConfigApplicationContext startBothAndSwitch() {
		try (AnnotationConfigApplicationContext former = start(new G11VersionsIT.First())) {
			await().until(() -> deposits() == 3);
			AnnotationConfigApplicationContext later = start(new G11VersionsIT.Second());
			await()
				.until(() -> this.world.count("select count(*) from eventing.projector_nodes where version = 2") > 0);
			buildAndSwitch();
			assertThat(former.isActive()).isTrue();
			return later;
		}
	}

	private void buildAndSwitch() {
		this.operators.rebuildBeside("fees", "anna", "fees are counted now", Patience.LONG);
		await().until(() -> this.operators.generations("fees")
			.stream()
			.anyMatch((each) -> each.status() == ProjectionGeneration.Status.READY));
		this.operators.switchTo("fees", 2, "anna", "compared", Patience.LONG);
		await().until(() -> status() == Status.DONE);
	}

	private AnnotationConfigApplicationContext start(Object... versions) {
		return this.world.start(WorldApplication.of(versions).lease(Duration.ofSeconds(2)));
	}

	private void requestRollBack() {
		this.operators.switchTo("fees", 1, "anna", "a report looks odd", Duration.ofMinutes(10));
	}

	private long deposits() {
		return this.world.count("select coalesce(sum(deposits), 0)::bigint from fees");
	}

	private Optional<String> note() {
		return this.operators.generations("fees")
			.stream()
			.filter((each) -> each.status() == ProjectionGeneration.Status.STANDBY)
			.findFirst()
			.flatMap((each) -> Optional.ofNullable(each.note()));
	}

	private String overview() {
		return this.projectors.list()
			.stream()
			.filter((each) -> each.generation().role().equals("standby"))
			.map((each) -> String.valueOf(each.status().detail()))
			.findFirst()
			.orElseThrow();
	}

	private String detail() {
		return String.valueOf(this.operators.lastRequest("fees").orElseThrow().state().detail());
	}

	private Status status() {
		return this.operators.lastRequest("fees").orElseThrow().state().status();
	}

}
