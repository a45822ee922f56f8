package dev.eventing.sdk.event;

import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class TypeIdsTests {

	private static final JsonMapper STRICT = EventJson.mapper()
		.rebuild()
		.enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
		.build();

	private final JsonMapper mapper = EventJson.mapper();

	@SuppressWarnings("TypeParameterUnusedInFormals")
	private <T> T bind(String json, Type type) {
		return UnboundPayload.of(json.getBytes(StandardCharsets.UTF_8), this.mapper).bind(type);
	}

	@ParameterizedTest
	@ValueSource(classes = { ByName.Paid.class, ByClass.Paid.class, ByContent.Paid.class, InObject.Paid.class,
			InArray.Paid.class, Own.class })
	void aClassIsBoundWithoutTheIdThatItsInterfaceDemands(Class<?> type) {
		assertThat(this.<Object>bind("{\"cents\":7}", type)).isInstanceOf(type)
			.hasToString(type.getSimpleName() + "[cents=7]");
		assertThat(this.<Object>bind("{}", type)).hasToString(type.getSimpleName() + "[cents=0]");
	}

	@ParameterizedTest
	@ValueSource(classes = { ByName.Paid.class, ByClass.Paid.class, ByContent.Paid.class, InObject.Paid.class,
			InArray.Paid.class, Own.class })
	void whatIsWrittenHasItsIdAndIsReadByIt(Class<?> type) {
		Object paid = bind("{\"cents\":7}", type);
		String json = this.mapper.writeValueAsString(paid);
		assertThat(this.<Object>bind(json, type)).isEqualTo(paid);
		Class<?> asked = (type != Own.class) ? type.getInterfaces()[0] : type;
		assertThat(this.<Object>bind(json, asked)).isEqualTo(paid);
	}

	@Test
	void theWriterGivesTheIdAsBefore() {
		assertThat(this.mapper.writeValueAsString(new ByName.Paid(7))).isEqualTo("{\"kind\":\"paid\",\"cents\":7}");
		assertThat(this.mapper.writeValueAsString(new InArray.Paid(7))).isEqualTo("[\"paid\",{\"cents\":7}]");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"kind\":\"paid\",\"cents\":7}", "{\"kind\":\"left\",\"cents\":7}",
			"{\"cents\":7,\"kind\":\"renamed.since\"}", "{\"kind\":null,\"cents\":7}" })
	void anIdThatIsThereIsTolerated(String json) {
		assertThat(this.<ByName.Paid>bind(json, ByName.Paid.class)).isEqualTo(new ByName.Paid(7));
		UnboundPayload strict = UnboundPayload.of(json.getBytes(StandardCharsets.UTF_8), STRICT);
		assertThat(strict.<ByName.Paid>bind(ByName.Paid.class)).isEqualTo(new ByName.Paid(7));
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "com.example.Gone", "java.lang.String", "dev.eventing.sdk.event.TypeIdsTests$ByClass$Left" })
	void theNameOfAnotherClassIsTolerated(String id) {
		assertThat(this.<ByClass.Paid>bind("{\"@class\":\"" + id + "\",\"cents\":7}", ByClass.Paid.class))
			.isEqualTo(new ByClass.Paid(7));
	}

	@Test
	void theTypeAboveTheClassesStillDemandsTheId() {
		assertThat(this.<ByName>bind("{\"kind\":\"left\"}", ByName.class)).isEqualTo(new ByName.Left());
		for (Class<?> above : new Class<?>[] { ByName.class, ByClass.class, InObject.class, InArray.class }) {
			assertThatExceptionOfType(PayloadBindingException.class).isThrownBy(() -> bind("{\"cents\":7}", above));
		}
	}

	@Test
	void theIdOfAPropertyIsStillDemanded() {
		assertThat(this.<Settled>bind("{\"by\":{\"kind\":\"paid\",\"cents\":7}}", Settled.class))
			.isEqualTo(new Settled(new ByName.Paid(7)));
		assertThatExceptionOfType(PayloadBindingException.class)
			.isThrownBy(() -> bind("{\"by\":{\"cents\":7}}", Settled.class))
			.withMessageContaining("at by, line 1");
	}

	@Test
	void aClassWithOthersBelowItIsNotBoundInPlaceOfAnUnknownOne() {
		assertThat(this.<Fee>bind("{\"kind\":\"late\",\"cents\":7,\"days\":2}", Fee.class)).isInstanceOf(LateFee.class);
		assertThat(this.<Fee>bind("{\"cents\":7}", Fee.class)).isExactlyInstanceOf(Fee.class);
		assertThatExceptionOfType(PayloadBindingException.class)
			.isThrownBy(() -> bind("{\"kind\":\"double\",\"cents\":7,\"times\":2}", Fee.class));
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"cents\":\"SECRET\"}", "{\"kind\":\"SECRET\",\"cents\":[1]}", "[]", "\"SECRET\"",
			"{\"kind\":\"SECRET\"" })
	void whatDoesNotFitTheClassIsStillRefused(String json) {
		for (Class<?> type : new Class<?>[] { ByName.Paid.class, InObject.Paid.class, InArray.Paid.class }) {
			assertThatExceptionOfType(PayloadBindingException.class).isThrownBy(() -> bind(json, type))
				.withNoCause()
				.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain("SECRET"));
		}
	}

	/** Nothing of them fits the class, so it would be bound to defaults. */
	@ParameterizedTest
	@ValueSource(strings = { "{\"paid.v2\":{\"cents\":7}}", "{\"paid\":\"text\"}", "{\"paid\":5}",
			"{\"paid\":{\"cents\":7},\"meta\":1}" })
	void whatIsWrappedInAnObjectUnderAnotherNameIsRefused(String json) {
		assertThatExceptionOfType(PayloadBindingException.class).isThrownBy(() -> bind(json, InObject.Paid.class));
	}

	@Test
	void idsOfPropertiesOfTheSameClassStillCount() {
		Settlement bound = bind("{\"cents\":2,\"before\":{\"kind\":\"late\",\"cents\":1,\"days\":3}}",
				Settlement.class);
		assertThat(bound.cents).isEqualTo(2);
		assertThat(bound.before).isInstanceOfSatisfying(LateSettlement.class,
				(late) -> assertThat(late.days).isEqualTo(3));
	}

	@Test
	void whatAMixInOfTheApplicationSaysOfTheClassStillCounts() {
		JsonMapper own = EventJson.mapper().rebuild().addMixIn(ByName.Paid.class, InMinorUnits.class).build();
		UnboundPayload payload = UnboundPayload.of("{\"minor\":7}".getBytes(StandardCharsets.UTF_8), own);
		assertThat(payload.<ByName.Paid>bind(ByName.Paid.class)).isEqualTo(new ByName.Paid(7));
	}

	@Test
	void aClassThatCannotBeConstructedIsFoundBehindTheIdThatItDemands() {
		assertThat(PayloadClasses.problem(this.mapper, Sealed.class)).contains("Sealed");
		assertThat(PayloadClasses.problem(this.mapper, ByName.Paid.class)).isNull();
	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
	@JsonSubTypes({ @JsonSubTypes.Type(value = ByName.Paid.class, name = "paid"),
			@JsonSubTypes.Type(value = ByName.Left.class, name = "left") })
	sealed interface ByName {

		record Paid(long cents) implements ByName {

		}

		record Left() implements ByName {

		}

	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)
	sealed interface ByClass {

		record Paid(long cents) implements ByClass {

		}

		record Left() implements ByClass {

		}

	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.DEDUCTION)
	@JsonSubTypes({ @JsonSubTypes.Type(ByContent.Paid.class), @JsonSubTypes.Type(ByContent.Left.class) })
	sealed interface ByContent {

		record Paid(long cents) implements ByContent {

		}

		record Left(String reason) implements ByContent {

		}

	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, include = JsonTypeInfo.As.WRAPPER_OBJECT)
	@JsonSubTypes(@JsonSubTypes.Type(value = InObject.Paid.class, name = "paid"))
	sealed interface InObject {

		record Paid(long cents) implements InObject {

		}

	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, include = JsonTypeInfo.As.WRAPPER_ARRAY)
	@JsonSubTypes(@JsonSubTypes.Type(value = InArray.Paid.class, name = "paid"))
	sealed interface InArray {

		record Paid(long cents) implements InArray {

		}

	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
	@JsonTypeName("own")
	record Own(long cents) {

	}

	record Settled(ByName by) {

	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
	@JsonSubTypes({ @JsonSubTypes.Type(value = Fee.class, name = "fee"),
			@JsonSubTypes.Type(value = LateFee.class, name = "late") })
	static class Fee {

		public long cents;

	}

	static class LateFee extends Fee {

		public int days;

	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
	static class Sealed {

		private final String reason;

		@SuppressWarnings("UnusedMethod")
		private Sealed(String reason) {
			this.reason = reason;
		}

		@Override
		public String toString() {
			return this.reason;
		}

	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
	@JsonSubTypes({ @JsonSubTypes.Type(value = Settlement.class, name = "settlement"),
			@JsonSubTypes.Type(value = LateSettlement.class, name = "late") })
	static class Settlement {

		public long cents;

		public @Nullable Settlement before;

	}

	static class LateSettlement extends Settlement {

		public int days;

	}

	interface InMinorUnits {

		@JsonProperty("minor")
		long cents();

	}

}
