package dev.eventing.sdk.relay;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class RelayLinesTests {

	@Test
	void haveWhatEachRelayPublishes(CapturedOutput output) {
		RelayLines.log(List.of(RelayOptions.named("loans").withCategories("loan", "copy"),
				RelayOptions.named("reservations").withCategories("reservation").withSubjects("desk.{tenant}.{type}")));
		assertThat(output)
			.containsOnlyOnce("Relay 'loans' publishes the events of the categories [copy, loan] to subjects"
					+ " '{category}.{tenant}.{type}'.")
			.containsOnlyOnce("Relay 'reservations' publishes the events of the categories [reservation] to subjects"
					+ " 'desk.{tenant}.{type}'.")
			.doesNotContain("both publish");
	}

	@Test
	void warnOfASecondRelayOfTheSameEvents(CapturedOutput output) {
		RelayLines
			.log(List.of(RelayOptions.named("loanevents").withCategories("loan"), RelayOptions.named("loanevent")));
		assertThat(output).contains("WARN")
			.contains("Relay 'loanevent' publishes all events to subjects")
			.containsOnlyOnce("Relays 'loanevents' and 'loanevent' both publish the events of the categories [loan] to"
					+ " subjects '{category}.{tenant}.{type}', so each event is published twice.");
	}

	@Test
	void warnOfTwoRelaysOfAllEvents(CapturedOutput output) {
		RelayLines.log(List.of(RelayOptions.named("one"), RelayOptions.named("two")));
		assertThat(output).containsOnlyOnce("Relays 'one' and 'two' both publish all events to subjects");
	}

	@Test
	void areSilentAboutOtherSubjectsAndOtherCategories(CapturedOutput output) {
		RelayLines.log(List.of(RelayOptions.named("one"),
				RelayOptions.named("two").withSubjects("copy.{category}.{tenant}.{type}"),
				RelayOptions.named("three").withCategories("loan").withSubjects("three.{tenant}.{type}"),
				RelayOptions.named("four").withCategories("copy").withSubjects("three.{tenant}.{type}")));
		assertThat(output).doesNotContain("both publish");
	}

}
