package dev.eventing.sdk.event;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@ExtendWith(OutputCaptureExtension.class)
class LostPropertiesTests {

	private final JsonMapper mapper = EventJson.mapper();

	@Test
	void warnsOnceOfARename(CapturedOutput output) {
		Lent lent = bind("{\"copy\":\"c1\",\"borrower\":\"Ada\",\"days\":7}", Lent.class);
		bind("{\"copy\":\"c2\",\"borrower\":\"Ben\",\"days\":7}", Lent.class);
		assertThat(lent).isEqualTo(new Lent("c1", null, 7, Optional.empty()));
		assertThat(output).contains("WARN")
			.containsOnlyOnce("A payload has 1 property that " + Lent.class.getTypeName()
					+ " lacks, and lacks 'member', which is null, 0 or false then. Consider one name on both sides")
			.doesNotContain("Ada")
			.doesNotContain("Ben");
	}

	@Test
	void warnsOfAnotherNamingStrategy(CapturedOutput output) {
		JsonMapper snake = this.mapper.rebuild().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE).build();
		UnboundPayload payload = UnboundPayload.of("{\"copyId\":\"c1\"}".getBytes(StandardCharsets.UTF_8), snake);
		Returned returned = payload.bind(Returned.class);
		assertThat(returned.copyId()).isNull();
		assertThat(output).containsOnlyOnce("A payload has 1 property that ").contains("and lacks 'copy_id', which");
	}

	@Test
	void warnsOfSetters(CapturedOutput output) {
		bind("{\"ident\":1}", Mutable.class);
		assertThat(output).containsOnlyOnce("A payload has 1 property that ").contains("and lacks 'id', which");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"copy\":\"c1\",\"member\":\"m\",\"days\":7,\"more\":1}",
			"{\"copy\":\"c1\",\"reader\":\"m\",\"days\":7,\"more\":1}", "{\"copy\":\"c1\"}",
			"{\"copy\":\"c1\",\"member\":null,\"days\":7,\"note\":\"n\",\"more\":{\"member\":[1]}}" })
	void isSilentWhereNothingIsLost(String json, CapturedOutput output) {
		bind(json, Lent.class);
		assertThat(output).doesNotContain("A payload has");
	}

	@Test
	void isSilentAboutPropertiesBelowAndWhatIsIgnored(CapturedOutput output) {
		bind("{\"lent\":{\"borrower\":\"m\"}}", Holder.class);
		bind("{\"borrower\":\"m\"}", Lenient.class);
		assertThat(output).doesNotContain("A payload has");
	}

	@Test
	void warnsOncePerPropertyAndNamesNoData(CapturedOutput output) {
		for (int i = 0; i < 200; i++) {
			bind("{\"secret" + i + "\":1}", Lent.class);
		}
		assertThat(output.toString().split("A payload has", -1)).hasSize(1 + 3);
		assertThat(output).contains("lacks 'copy'", "lacks 'member'", "lacks 'days'").doesNotContain("secret");
	}

	@Test
	void warnsOfAPublisherThatHasSentBothNamesFirst(CapturedOutput output) {
		for (int i = 0; i < 150; i++) {
			bind("{\"copy\":\"c1\",\"member\":\"m\",\"borrower\":\"m\",\"days\":7}", Lent.class);
		}
		assertThat(output).doesNotContain("A payload has");
		for (int i = 0; i < 100; i++) {
			bind("{\"copy\":\"c1\",\"borrower\":\"m\",\"days\":7}", Lent.class);
		}
		assertThat(output).containsOnlyOnce("and lacks 'member', which");
	}

	@Test
	void leavesTheRefusalToTheMapper() {
		JsonMapper strict = this.mapper.rebuild().enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();
		UnboundPayload payload = UnboundPayload.of("{\"ident\":1}".getBytes(StandardCharsets.UTF_8), strict);
		assertThatExceptionOfType(PayloadBindingException.class).isThrownBy(() -> payload.bind(Mutable.class))
			.withMessageContaining("UnrecognizedPropertyException at ident");
	}

	private <T> T bind(String json, Class<T> type) {
		return type.cast(UnboundPayload.of(json.getBytes(StandardCharsets.UTF_8), this.mapper).bind(type));
	}

	record Lent(String copy, @JsonAlias("reader") @Nullable String member, int days, Optional<String> note) {
	}

	record Returned(String copyId) {
	}

	record Holder(Lent lent) {
	}

	@JsonIgnoreProperties(ignoreUnknown = true)
	record Lenient(String member) {
	}

	static class Mutable {

		private int id;

		public int getId() {
			return this.id;
		}

		public void setId(int id) {
			this.id = id;
		}

		public String getShown() {
			return "no. " + this.id;
		}

	}

}
