package dev.eventing.sdk.event;

import dev.eventing.sdk.event.SubjectTemplate.InvalidSubjectException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class EventSubjectsTests {

	@ParameterizedTest
	@CsvSource({ "{category}.{tenant}.{type}, order.acme.order.placed", "{stream}.{type}, order-4711.order.placed",
			"events.{tenant}, events.acme", "v1-{category}.x, v1-order.x", "fixed, fixed" })
	void makesTheSubjectOfAnEvent(String pattern, String subject) {
		assertThat(EventSubjects.of(pattern).subjectOf(event("order-4711", "order.placed"))).isEqualTo(subject);
	}

	@ParameterizedTest
	@CsvSource({ "order-4711, order", "order, order", "order-4711-b, order", "'-4711', ''" })
	void takesTheStreamUpToItsFirstHyphenAsCategory(String streamId, String category) {
		assertThat(EventSubjects.categoryOf(streamId)).isEqualTo(category);
	}

	@ParameterizedTest
	@NullSource
	@ValueSource(strings = { "order.acme-1", "-1", "or der-1", "*", ">-1", "{type}-1" })
	void refusesAStreamThatCouldNotStandAsOneToken(@Nullable String streamId) {
		assertThatExceptionOfType(InvalidSubjectException.class)
			.isThrownBy(() -> EventSubjects.DEFAULT.subjectOf(event(streamId, "placed")));
	}

	@ParameterizedTest
	@ValueSource(strings = { "a..b", "*", "a b", ".a", "{tenant}" })
	void refusesATypeThatIsNoSubject(String type) {
		assertThatExceptionOfType(InvalidSubjectException.class)
			.isThrownBy(() -> EventSubjects.DEFAULT.subjectOf(event("order-1", type)));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "a.{customer}", "a.>", "*.a", "a..b", "a.{tenant", "a b" })
	void refusesAPatternThatGivesNoSubject(String pattern) {
		assertThatExceptionOfType(InvalidSubjectException.class).isThrownBy(() -> EventSubjects.of(pattern));
	}

	@ParameterizedTest
	@CsvSource({ "{category}.{tenant}.{type}, *.*.>", "shop.{category}.{tenant}.{type}, shop.*.*.>",
			"{stream}.x-{type}.y, *.>", "v1-{category}.x, *.x", "fixed, fixed" })
	void hasAFilterOfAllItsSubjects(String pattern, String filter) {
		assertThat(EventSubjects.of(pattern).filter()).isEqualTo(filter);
	}

	@Test
	void hasAFilterOfTheEventsOfACategory() {
		assertThat(EventSubjects.DEFAULT.filter("order")).isEqualTo("order.*.>");
	}

	@Test
	void isEqualByItsPattern() {
		assertThat(EventSubjects.of(EventSubjects.DEFAULT_PATTERN)).isEqualTo(EventSubjects.DEFAULT)
			.hasSameHashCodeAs(EventSubjects.DEFAULT)
			.hasToString("{category}.{tenant}.{type}")
			.isNotEqualTo(EventSubjects.of("a"));
	}

	private static Event<String> event(@Nullable String streamId, String type) {
		return Event.builder(TenantId.of("acme"), "x").type(type).streamId(streamId).build();
	}

}
