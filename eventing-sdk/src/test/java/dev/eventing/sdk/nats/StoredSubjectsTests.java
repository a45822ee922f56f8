package dev.eventing.sdk.nats;

import java.util.function.UnaryOperator;

import io.nats.client.api.Mirror;
import io.nats.client.api.Source;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.api.SubjectTransform;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class StoredSubjectsTests {

	private static StoredSubjects of(UnaryOperator<StreamConfiguration.Builder> changes) {
		return StoredSubjects.of(changes.apply(StreamConfiguration.builder().name("ORDERS")).build());
	}

	private static SubjectTransform transform(String source, String destination) {
		return SubjectTransform.builder().source(source).destination(destination).build();
	}

	@Nested
	class OfAStream {

		@ParameterizedTest
		@CsvSource({ "order.*.placed, true", "order.acme.>, true", "order.*.cancelled, true", "order.>, true",
				"order.*, false", "shop.*.placed, false" })
		void areThoseThatItTakes(String filter, boolean fits) {
			assertThat(of((stream) -> stream.subjects("order.*.*")).mayFit(filter)).isEqualTo(fits);
		}

		/** All functions of nats-server 2.12; the names are in any case. */
		@ParameterizedTest
		@CsvSource(delimiter = '|',
				value = { "{{wildcard(1)}}|one", "{{ Wildcard( 1 ) }}|one", "$1|one", "{{partition(5,1,2)}}|one",
						"{{partition(5)}}|one", "{{random(5)}}|one", "{{left(1,2)}}|one", "{{Right(1, 2)}}|one",
						"{{split(1,-)}}|several", "{{Split( 1 , - )}}|several", "{{splitFromLeft(1,2)}}|several",
						"{{SplitFromRight(1,2)}}|several", "{{slicefromleft(1,2)}}|several",
						"{{SliceFromRight(1,2)}}|several", "{{unheardOf(1)}}|several", "literal|none" })
		void areWhatATransformMayMakeOfThem(String token, String makes) {
			StoredSubjects stored = of((stream) -> stream.subjects("order.*")
				.subjectTransform(transform("order.*", "kept." + token + ".x")));
			assertThat(stored.mayFit("kept.*.x")).isTrue();
			assertThat(stored.mayFit("kept.acme.x")).isEqualTo(!makes.equals("none"));
			assertThat(stored.mayFit("kept.*.eu.x")).isEqualTo(makes.equals("several"));
			assertThat(stored.mayFit("kept.*.eu.west.>")).isEqualTo(makes.equals("several"));
			assertThat(stored.mayFit("kept.>")).isTrue();
			assertThat(stored.mayFit("kept.*.y")).isFalse();
			assertThat(stored.mayFit("kept.*")).isFalse();
			assertThat(stored.mayFit("order.*")).as("what arrives").isFalse();
		}

		@Test
		void areAlsoThoseThatItsTransformPassesOver() {
			StoredSubjects stored = of(
					(stream) -> stream.subjects("order.>").subjectTransform(transform("order.*.placed", "kept.$1")));
			assertThat(stored.mayFit("order.*.cancelled")).isTrue();
			assertThat(stored.mayFit("order.*.*")).isTrue();
			assertThat(stored.mayFit("order.acme.placed")).isFalse();
			assertThat(stored.mayFit("kept.*")).isTrue();
		}

		@Test
		void areNoneOfATransformThatNothingArrivesFor() {
			StoredSubjects stored = of(
					(stream) -> stream.subjects("order.*").subjectTransform(transform("shop.*", "kept.$1")));
			assertThat(stored.mayFit("kept.*")).isFalse();
			assertThat(stored.mayFit("order.*")).isTrue();
		}

		@Test
		void areAllOfATransformOfEverything() throws Exception {
			StoredSubjects stored = StoredSubjects.of(StreamConfiguration.instance(
					"""
							{"name": "ORDERS", "subjects": ["order.*"], "subject_transform": {"src": "", "dest": "kept.>"}}"""));
			assertThat(stored.mayFit("order.*")).isFalse();
			assertThat(stored.mayFit("kept.order.acme")).isTrue();
			assertThat(stored.described()).containsExactly("order.*", "> as kept.>");
		}

		@Test
		void areAnyIfNothingIsKnownOfIt() {
			assertThat(of((stream) -> stream).mayFit("order.*")).isTrue();
			assertThat(of((stream) -> stream).areOfOthersToo()).isFalse();
		}

	}

	@Nested
	class OfOthers {

		@Test
		void areAnyOfASourceOrMirrorWithoutAFilter() {
			Source source = Source.builder().sourceName("O").build();
			assertThat(of((stream) -> stream.subjects("own").addSource(source)).mayFit("order.*")).isTrue();
			Mirror mirror = Mirror.builder().sourceName("O").build();
			assertThat(of((stream) -> stream.mirror(mirror)).mayFit("order.*")).isTrue();
			assertThat(of((stream) -> stream.mirror(mirror)).areOfOthersToo()).isTrue();
		}

		@Test
		void areThoseOfTheFilter() {
			Source source = Source.builder().sourceName("O").filterSubject("order.*.placed").build();
			StoredSubjects gathered = of((stream) -> stream.subjects("own").addSource(source));
			assertThat(gathered.mayFit("order.acme.placed")).isTrue();
			assertThat(gathered.mayFit("own")).isTrue();
			assertThat(gathered.mayFit("order.acme.cancelled")).isFalse();
			assertThat(gathered.described()).containsExactly("own", "order.*.placed");
			Mirror mirror = Mirror.builder().sourceName("O").filterSubject("order.*.placed").build();
			assertThat(of((stream) -> stream.mirror(mirror)).mayFit("order.acme.placed")).isTrue();
			assertThat(of((stream) -> stream.mirror(mirror)).mayFit("order.acme.cancelled")).isFalse();
		}

		@Test
		void areWhatTheTransformsOfASourceMake() {
			Source source = Source.builder()
				.sourceName("O")
				.subjectTransforms(transform("order.*.placed", "kept.{{wildcard(1)}}"),
						transform("shop.*", "shops.{{split(1,-)}}"))
				.build();
			StoredSubjects gathered = of((stream) -> stream.addSource(source));
			assertThat(gathered.mayFit("kept.*")).isTrue();
			assertThat(gathered.mayFit("shops.*.eu")).isTrue();
			assertThat(gathered.mayFit("order.*.placed")).isFalse();
			assertThat(gathered.mayFit("shop.*")).isFalse();
			assertThat(gathered.described()).containsExactly("kept.*", "shops.>");
		}

		/** As the command line of NATS writes several filters. */
		@Test
		void areThoseOfATransformWithoutADestination() throws Exception {
			StoredSubjects gathered = StoredSubjects.of(StreamConfiguration.instance("""
					{"name": "ALL", "sources": [{"name": "O", "subject_transforms": [{"src": "order.*"},
					 {"src": "shop.*", "dest": ""}]}]}"""));
			assertThat(gathered.mayFit("order.acme")).isTrue();
			assertThat(gathered.mayFit("shop.acme")).isTrue();
			assertThat(gathered.mayFit("other.acme")).isFalse();
		}

		@Test
		void areWhatTheTransformOfAMirrorMakes() {
			Mirror mirror = Mirror.builder()
				.sourceName("O")
				.subjectTransforms(transform("order.*", "kept.{{wildcard(1)}}"))
				.build();
			assertThat(of((stream) -> stream.mirror(mirror)).mayFit("kept.acme")).isTrue();
			assertThat(of((stream) -> stream.mirror(mirror)).mayFit("order.acme")).isFalse();
		}

		@Test
		void areTransformedByTheStreamToo() {
			Source source = Source.builder()
				.sourceName("O")
				.subjectTransforms(transform("order.*", "gathered.{{wildcard(1)}}"))
				.build();
			StoredSubjects gathered = of(
					(stream) -> stream.addSource(source).subjectTransform(transform("gathered.*", "kept.$1")));
			assertThat(gathered.mayFit("kept.acme")).isTrue();
			assertThat(gathered.mayFit("gathered.acme")).isFalse();
		}

	}

}
