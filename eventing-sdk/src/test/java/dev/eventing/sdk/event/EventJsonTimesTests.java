package dev.eventing.sdk.event;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;

import com.fasterxml.jackson.annotation.JsonFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.eventing.sdk.event.EventJsonForm.bound;
import static dev.eventing.sdk.event.EventJsonForm.isKept;
import static dev.eventing.sdk.event.EventJsonForm.isRefused;
import static dev.eventing.sdk.event.EventJsonForm.written;
import static org.assertj.core.api.Assertions.assertThat;

/** The form of times in stored events. */
class EventJsonTimesTests {

	@ParameterizedTest
	@ValueSource(strings = { "2026-02-01T00:30:00+01:00", "2026-02-01T00:30:00-11:30", "2026-02-01T00:30:00Z",
			"2026-02-01T00:30:00.123456789+05:45" })
	void keepTheOffsetThatWasWritten(String time) {
		OffsetDateTime at = OffsetDateTime.parse(time);
		isKept(new At(at), "{\"at\":\"" + time + "\"}");
		assertThat(bound("{\"at\":\"" + time + "\"}", At.class).at().toLocalDate()).isEqualTo(LocalDate.of(2026, 2, 1));
	}

	@ParameterizedTest
	@ValueSource(strings = { "Europe/Berlin", "America/New_York", "UTC", "GMT", "Z", "+01:00", "UTC+01:00" })
	void keepTheZoneThatWasWritten(String zone) {
		ZonedDateTime at = ZonedDateTime.of(2026, 2, 1, 0, 30, 0, 0, ZoneId.of(zone));
		Zoned read = bound(written(new Zoned(at)), Zoned.class);
		assertThat(read).isEqualTo(new Zoned(at));
	}

	@Test
	void leaveTheZoneOutIfAnAnnotationSaysSo() {
		assertThat(written(new OffsetOnly(ZonedDateTime.of(2026, 2, 1, 0, 30, 0, 0, ZoneId.of("Europe/Berlin")))))
			.isEqualTo("{\"at\":\"2026-02-01T00:30:00+01:00\"}");
	}

	@Test
	void keepBothMeaningsOfAnHourThatComesTwice() {
		ZonedDateTime summer = ZonedDateTime.ofLocal(LocalDateTime.of(2026, 10, 25, 2, 30), ZoneId.of("Europe/Berlin"),
				ZoneOffset.ofHours(2));
		isKept(new Zoned(summer), "{\"at\":\"2026-10-25T02:30:00+02:00[Europe/Berlin]\"}");
		isKept(new Zoned(summer.withLaterOffsetAtOverlap()), "{\"at\":\"2026-10-25T02:30:00+01:00[Europe/Berlin]\"}");
	}

	@Test
	void areReadWhereTheHandlerHasAnotherTypeThanThePublisher() {
		String zoned = "{\"at\":\"2026-02-01T00:30:00+01:00[Europe/Berlin]\"}";
		String offset = "{\"at\":\"2026-02-01T00:30:00+01:00\"}";
		for (String json : List.of(zoned, offset)) {
			assertThat(bound(json, At.class).at()).isEqualTo(OffsetDateTime.parse("2026-02-01T00:30:00+01:00"));
			assertThat(bound(json, When.class).at()).isEqualTo(Instant.parse("2026-01-31T23:30:00Z"));
		}
		assertThat(bound(offset, Zoned.class).at()).isEqualTo(ZonedDateTime.parse("2026-02-01T00:30:00+01:00"));
		assertThat(bound("{\"at\":1769902200.5}", When.class).at())
			.isEqualTo(Instant.parse("2026-01-31T23:30:00.500Z"));
		isRefused("{\"at\":\"2026-02-01T00:30:00+01:00[Mars/Olympus]\"}", When.class);
	}

	/** 2026-01-31T23:30Z is the first of February in Berlin. */
	@ParameterizedTest
	@ValueSource(strings = { "\"2026-01-31T23:30:00Z\"", "\"2026-01-31T23:30:00\"", "\"2026-02-01T00:30:00+01:00\"",
			"\"2026-01-31T23:30:00\\n\"", "20484", "1769902200000" })
	void ofMoreThanALocalDateAreNone(String time) {
		isRefused("{\"at\":" + time + "}", Day.class);
		isRefused("{\"at\":" + time + "}", DayAsText.class);
	}

	@ParameterizedTest
	@ValueSource(strings = { "\"2026-01-31T23:30:00Z\"", "\"2026-01-31T23:30:00Z \"", "\"2026-01-31T23:30:00Z\\n\"",
			"\"2026-02-01T00:30:00+01:00\"", "1769902200000" })
	void withAnOffsetAreNoLocalOnes(String time) {
		isRefused("{\"at\":" + time + "}", LocallyAt.class);
	}

	/** Its day would be dropped. */
	@ParameterizedTest
	@ValueSource(
			strings = { "\"2026-01-31T23:30:00\"", "\"2026-01-31T23:30:00Z\"", "\"23:30:00Z\"", "\"T23:30\"", "84600" })
	void ofMoreThanALocalTimeAreNone(String time) {
		isRefused("{\"at\":" + time + "}", TimeOfDay.class);
	}

	@Test
	void thatAreLocalAreKeptAndMayHaveAFormat() {
		isKept(new Day(LocalDate.of(2026, 2, 1)), "{\"at\":\"2026-02-01\"}");
		isKept(new LocallyAt(LocalDateTime.of(2026, 2, 1, 0, 30)), "{\"at\":\"2026-02-01T00:30:00\"}");
		isKept(new TimeOfDay(LocalTime.of(23, 30)), "{\"at\":\"23:30:00\"}");
		isKept(new DayAsText(LocalDate.of(2026, 2, 1)), "{\"at\":\"2026-02-01\"}");
		assertThat(bound("{\"at\":\"1 T 2 2026\"}", Formatted.class).at()).isEqualTo(LocalDate.of(2026, 2, 1));
	}

	@Test
	void inListsAndKeysKeepTheirOffset() {
		OffsetDateTime at = OffsetDateTime.parse("2026-02-01T00:30:00+01:00");
		ZonedDateTime zoned = at.atZoneSameInstant(ZoneId.of("Europe/Berlin"));
		isKept(new Ats(List.of(at), Map.of(at, zoned), Map.of(zoned, at)), """
				{"all":["2026-02-01T00:30:00+01:00"],\
				"byTime":{"2026-02-01T00:30+01:00":"2026-02-01T00:30:00+01:00[Europe/Berlin]"},\
				"byZoned":{"2026-02-01T00:30:00+01:00[Europe/Berlin]":"2026-02-01T00:30:00+01:00"}}""");
	}

	@Test
	void areIsoTexts() {
		isKept(new Texts(LocalDate.of(2026, 2, 1), LocalTime.of(0, 30), OffsetTime.parse("00:30+01:00"),
				Duration.ofSeconds(90), Period.ofMonths(2), Year.of(2026), YearMonth.of(2026, 2)), """
						{"date":"2026-02-01","time":"00:30:00","offset":"00:30+01:00","duration":"PT1M30S",\
						"period":"P2M","year":2026,"month":"2026-02"}""");
		isKept(new When(Instant.parse("2026-01-31T23:30:00.000000001Z")),
				"{\"at\":\"2026-01-31T23:30:00.000000001Z\"}");
	}

	@Test
	@SuppressWarnings("JavaUtilDate")
	void dependNeitherOnTheZoneNorOnTheLocaleOfTheMachine() {
		TimeZone zone = TimeZone.getDefault();
		Locale locale = Locale.getDefault();
		TimeZone.setDefault(TimeZone.getTimeZone("Pacific/Auckland"));
		Locale.setDefault(Locale.FRANCE);
		try {
			isKept(new Printed(LocalDate.of(2026, 2, 1), new Date(0)),
					"{\"date\":\"1 February 2026\",\"epoch\":\"1970-01-01T00:00:00.000Z\"}");
		}
		finally {
			TimeZone.setDefault(zone);
			Locale.setDefault(locale);
		}
	}

	record At(OffsetDateTime at) {
	}

	record Ats(List<OffsetDateTime> all, Map<OffsetDateTime, ZonedDateTime> byTime,
			Map<ZonedDateTime, OffsetDateTime> byZoned) {
	}

	record Zoned(ZonedDateTime at) {
	}

	record OffsetOnly(@JsonFormat(without = JsonFormat.Feature.WRITE_DATES_WITH_ZONE_ID) ZonedDateTime at) {
	}

	record When(Instant at) {
	}

	record DayAsText(@JsonFormat(shape = JsonFormat.Shape.STRING) LocalDate at) {
	}

	record Day(LocalDate at) {
	}

	record LocallyAt(LocalDateTime at) {
	}

	record TimeOfDay(LocalTime at) {
	}

	record Formatted(@JsonFormat(pattern = "d 'T' M yyyy") LocalDate at) {
	}

	record Texts(LocalDate date, LocalTime time, OffsetTime offset, Duration duration, Period period, Year year,
			YearMonth month) {
	}

	record Printed(@JsonFormat(pattern = "d MMMM yyyy") LocalDate date, Date epoch) {
	}

}
