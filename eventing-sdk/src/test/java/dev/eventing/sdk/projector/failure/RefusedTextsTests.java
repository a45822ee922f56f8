package dev.eventing.sdk.projector.failure;

import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

import dev.eventing.sdk.deadletter.TextForm;
import dev.eventing.sdk.event.ProjectorId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

@ExtendWith(OutputCaptureExtension.class)
class RefusedTextsTests {

	private final RefusedTexts texts = new RefusedTexts(ProjectorId.of("orders"));

	private final List<TextForm> forms = new ArrayList<>();

	private String write(SQLException... errors) {
		this.forms.clear();
		return this.texts.write((form) -> {
			this.forms.add(form);
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

	/** Each letter has it. A thousand of them would fill the log. */
	@Test
	void areInTheLogOnceForEachSqlStateAndForm(CapturedOutput output) {
		SQLException tooLong = new SQLException("no", "54000");
		write(tooLong);
		write(tooLong);
		assertThat(warnings(output)).containsExactly("'orders': the database refuses a text of an event or of its error"
				+ " with SQL state 54000. It is written without the texts of the error.");
		write(new SQLException("no", "22P05"), new SQLException("no", "22P05"));
		write(new SQLException("no", "22P05"), new SQLException("no", "22P05"));
		assertThat(warnings(output)).hasSize(3).last(STRING).endsWith(" SQL state 22P05. It is written in ASCII.");
	}

	private static List<String> warnings(CapturedOutput output) {
		return output.getAll()
			.lines()
			.filter((line) -> line.contains("WARN") && line.contains("refuses a text"))
			.map((line) -> line.substring(line.indexOf("'orders'")))
			.toList();
	}

}
