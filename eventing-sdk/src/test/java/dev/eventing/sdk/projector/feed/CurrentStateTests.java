package dev.eventing.sdk.projector.feed;

import java.sql.SQLException;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.projector.ProjectorState;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.DuplicateKeyException;

import static org.assertj.core.api.Assertions.assertThat;

class CurrentStateTests {

	private final CurrentState state = new CurrentState(ProjectorId.of("orders"));

	/** The next try finds the row of the other. */
	@Test
	void isAWaitWhereTwoNodesRacedForOneRow() {
		this.state.away(new DuplicateKeyException("insert",
				new SQLException("ERROR: duplicate key value violates unique constraint", "23505")));
		assertThat(this.state.get().state()).isEqualTo(ProjectorState.WAITING_FOR_DATABASE);
		assertThat(this.state.get().detail()).contains("duplicate key value");
	}

	/** Such as a unique index of others. */
	@Test
	void isFailedWhereThatDoesNotPass() {
		for (int attempt = 0; attempt <= 10; attempt++) {
			this.state.away(new DuplicateKeyException("insert",
					new SQLException("ERROR: duplicate key value violates unique constraint", "23505")));
		}
		assertThat(this.state.get().state()).isEqualTo(ProjectorState.FAILED);
	}

	@Test
	void isFailedWhereAConstraintOfOthersRefusesARow() {
		this.state.away(new DataIntegrityViolationException("insert",
				new SQLException("ERROR: null value violates not-null constraint", "23502")));
		assertThat(this.state.get().state()).isEqualTo(ProjectorState.FAILED);
		assertThat(this.state.get().detail()).contains("null value violates not-null constraint");
	}

	/** As after a change of the tables that no SQL state tells of. */
	@Test
	void isFailedWhereTheTablesCannotBeUsedForAnotherReason() {
		this.state.away(new DataIntegrityViolationException("a row more than expected"));
		assertThat(this.state.get().state()).isEqualTo(ProjectorState.FAILED);
	}

}
