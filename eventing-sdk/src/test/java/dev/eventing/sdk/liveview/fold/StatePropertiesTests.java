package dev.eventing.sdk.liveview.fold;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.projector.StateForm;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Which properties the class of a view's states has. */
class StatePropertiesTests {

	private static @Nullable StateForm of(Class<?> type) {
		return StateProperties.of(EventJson.mapper(), type);
	}

	private static StateForm form(String... properties) {
		return new StateForm(List.of(properties));
	}

	@Test
	void areThoseOfAllThatItHolds() {
		assertThat(of(Warehouse.class)).isEqualTo(
				form("total", "lines", "lines[][].sku", "lines[][].count", "place", "place.city", "open", "open[].at"));
	}

	@Test
	void doNotDependOnTheirOrder() {
		assertThat(of(One.class)).isEqualTo(of(Other.class)).isEqualTo(form("a", "b"));
	}

	/** Nothing binds it, so nothing is lost with it. */
	@Test
	void haveNoneThatIsOnlyComputed() {
		assertThat(of(Computed.class)).isEqualTo(form("count"));
	}

	@Test
	void haveTheNamesThatTheyHaveInJson() {
		assertThat(of(Named.class)).isEqualTo(form("total_sum"));
		assertThat(of(Mutable.class)).isEqualTo(form("count", "open"));
	}

	@Test
	void areThoseOfWhatIsUnwrapped() {
		assertThat(of(Unwrapping.class)).isEqualTo(form("total", "*.city", "to_*.city"));
		assertThat(of(UnwrappingRecord.class)).isEqualTo(form("total", "*.city"));
	}

	@Test
	void areThoseOfAllSubtypes() {
		assertThat(of(Shown.class)).isEqualTo(form("shape", "shape.radius", "shape.width", "parts", "parts[].name"));
	}

	@Test
	void endWhereAClassHoldsItself() {
		assertThat(of(Node.class)).isEqualTo(form("name", "children"));
	}

	@Test
	void areNoneOfANumber() {
		assertThat(of(Long.class)).isEqualTo(form());
	}

	record Warehouse(long total, Map<String, List<Line>> lines, Optional<Place> place, List<Place.Open> open) {
	}

	record Line(String sku, long count) {
	}

	record Place(String city) {

		record Open(String at) {
		}

	}

	record One(int a, int b) {
	}

	record Other(int b, int a) {
	}

	record Computed(int count) {

		public boolean isEmpty() {
			return this.count == 0;
		}

	}

	record Named(@JsonProperty("total_sum") long total) {
	}

	/** As a bean. */
	static class Mutable {

		private long count;

		public boolean open;

		@JsonIgnore
		public long ignored;

		public long getCount() {
			return this.count;
		}

		public void setCount(long count) {
			this.count = count;
		}

	}

	/** As a bean. */
	static class Unwrapping {

		public long total;

		@JsonUnwrapped
		public @Nullable Place from;

		@JsonUnwrapped(prefix = "to_")
		public @Nullable Place to;

		/** Only computes something. */
		@JsonUnwrapped(prefix = "no_")
		public Place getComputed() {
			return new Place("nowhere");
		}

	}

	record UnwrappingRecord(long total, @JsonUnwrapped Place from) {
	}

	record Shown(Shape shape, List<Part> parts) {
	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
	sealed interface Shape {

		record Circle(double radius) implements Shape {
		}

		record Square(double width) implements Shape {
		}

	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
	@JsonSubTypes(@JsonSubTypes.Type(Wheel.class))
	interface Part {

	}

	record Wheel(String name) implements Part {
	}

	record Node(String name, List<Node> children) {
	}

}
