package dev.eventing.sdk.event;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class EventHeadersTests {

	@Test
	void findsNamesInAnyCaseAndKeepsTheCaseFirstWritten() {
		EventHeaders headers = EventHeaders.builder().add("Ce-Id", "1").add("CE-ID", "2").build();
		assertThat(headers.first("ce-id")).isEqualTo("1");
		assertThat(headers.all("ce-ID")).containsExactly("1", "2");
		assertThat(headers.names()).containsExactly("Ce-Id");
	}

	@Test
	void tellsNothingOfANameThatIsNotThere() {
		assertThat(EventHeaders.empty().first("ce-id")).isNull();
		assertThat(EventHeaders.empty().all("ce-id")).isEmpty();
		assertThat(EventHeaders.of(Map.of("ce-id", List.of())).isEmpty()).isTrue();
	}

	@Test
	void setReplacesAllValuesAndNullRemovesThem() {
		EventHeaders.Builder builder = EventHeaders.builder().add("a", "1").add("A", "2").set("a", "3");
		assertThat(builder.build().all("a")).containsExactly("3");
		assertThat(builder.set("A", null).build().isEmpty()).isTrue();
	}

	@Test
	void isEqualWhateverTheCaseOfNames() {
		EventHeaders lower = EventHeaders.of(Map.of("a", List.of("1"), "b", List.of("2")));
		EventHeaders upper = EventHeaders.of(Map.of("B", List.of("2"), "A", List.of("1")));
		assertThat(lower).isEqualTo(upper).hasSameHashCodeAs(upper);
		assertThat(lower).isNotEqualTo(EventHeaders.of(Map.of("a", List.of("1"))));
		assertThat(lower).isNotEqualTo(lower.toBuilder().set("a", "X").build());
	}

	@Test
	void staysAsItIsWhenItsBuilderGoesOn() {
		EventHeaders.Builder builder = EventHeaders.builder().add("a", "1");
		EventHeaders built = builder.build();
		builder.add("a", "2").add("b", "3");
		assertThat(built.toMap()).isEqualTo(Map.of("a", List.of("1")));
	}

	@Test
	void cannotBeChangedThroughWhatItGivesOut() {
		EventHeaders headers = EventHeaders.builder().add("a", "1").build();
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> headers.names().clear());
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> headers.all("a").clear());
		headers.toMap().clear();
		assertThat(headers.first("a")).isEqualTo("1");
	}

	@Test
	void showsNoValues() {
		assertThat(EventHeaders.builder().add("authorization", "secret").build())
			.hasToString("EventHeaders[authorization]");
	}

}
