package dev.eventing.sdk.projector.failure;

import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

import dev.eventing.sdk.deadletter.TextForm;
import dev.eventing.sdk.event.ProjectorId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RefusedTextsTests {

	private static final ProjectorId PROJECTOR = ProjectorId.of("orders");

	private final List<TextForm> forms = new ArrayList<>();

	private String write(SQLException... errors) {
		return RefusedTexts.write(PROJECTOR, (texts) -> {
			this.forms.add(texts);
			if (this.forms.size() <= errors.length) {
				throw new DataIntegrityViolationException("failed", errors[this.forms.size() - 1]);
			}
			return "written";
		});
	}

	@Test
	void areWrittenAsTheyAreWhereTheDatabaseTakesThem() {
		assertThat(write()).isEqualTo("written");
		assertThat(this.forms).containsExactly(TextForm.WHOLE);
	}

	@ParameterizedTest
	@ValueSource(strings = { "22021", "22P05", "22001", "54000" })
	void areWrittenOnceMoreInTheNextForm(String sqlState) {
		assertThat(write(new SQLException("no", sqlState))).isEqualTo("written");
		assertThat(this.forms).containsExactly(TextForm.WHOLE, new TextForm(sqlState, false));
	}

	@Test
	void areRecognizedInABatch() {
		SQLException batch = new BatchUpdateException("no", null, new int[0], new SQLException("no", "54000"));
		assertThat(write(batch)).isEqualTo("written");
		assertThat(this.forms).hasSize(2);
	}

	@ParameterizedTest
	@ValueSource(strings = { "08006", "23505", "40P01", "42501", "57014" })
	void areNoReasonForOtherErrors(String sqlState) {
		assertThatExceptionOfType(DataAccessException.class).isThrownBy(() -> write(new SQLException("no", sqlState)));
		assertThat(this.forms).hasSize(1);
	}

	@Test
	void areWrittenInAsciiWhereTheSecondFormIsRefusedToo() {
		assertThat(write(new SQLException("no", "54000"), new SQLException("no", "22P05"))).isEqualTo("written");
		assertThat(this.forms).containsExactly(TextForm.WHOLE, new TextForm("54000", false),
				new TextForm("22P05", true));
	}

	@Test
	void failWhereEachFormIsRefused() {
		SQLException refused = new SQLException("no", "22021");
		assertThatExceptionOfType(DataAccessException.class).isThrownBy(() -> write(refused, refused, refused))
			.withRootCauseInstanceOf(SQLException.class);
		assertThat(this.forms).hasSize(3);
	}

}
