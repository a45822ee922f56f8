package dev.eventing.sdk.projector.control;

import java.time.Instant;
import java.util.Objects;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.projection.ledger.ControlLedger;
import dev.eventing.sdk.projection.ledger.Pause;
import dev.eventing.sdk.schema.EventingSchema;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Answers of the database that arrive in another order than they were given. */
class PauseSwitchTests {

	private static final Pause PAUSE = new Pause("anna", "a test", Instant.EPOCH);

	private final PauseSwitch pause = new ControlPoll(
			new ControlLedger(new DriverManagerDataSource("jdbc:none:nowhere"), EventingSchema.defaults()))
		.switchOf(ProjectorId.of("orders"));

	@Test
	void aLookThatWasSentBeforeAPauseDoesNotUndoIt() {
		this.pause.set(PAUSE, 2);
		this.pause.set(null, 1);
		assertThat(this.pause.isPaused()).isTrue();
	}

	@Test
	void aLookThatWasSentBeforeAResumeDoesNotUndoIt() {
		this.pause.set(PAUSE, 1);
		this.pause.set(null, 3);
		this.pause.set(PAUSE, 2);
		assertThat(this.pause.isPaused()).isFalse();
	}

	@Test
	void theLatestAnswerSaysByWhomAndWhy() {
		this.pause.set(PAUSE, 1);
		this.pause.set(new Pause("bert", null, Instant.EPOCH), 2);
		assertThat(Objects.requireNonNull(this.pause.current()).describe()).isEqualTo("paused by bert");
	}

}
