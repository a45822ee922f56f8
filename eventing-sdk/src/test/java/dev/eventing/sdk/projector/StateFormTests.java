package dev.eventing.sdk.projector;

import java.util.List;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The properties of states, as a part of what code tells of itself. */
class StateFormTests {

	private static final String EVENTS = "orders.*.> OrderPaid, OrderPlaced; PER_KEY by code";

	private static final String ROWS = " in rows of generations";

	private static StateForm form(String... properties) {
		return new StateForm(List.of(properties));
	}

	private static @Nullable String difference(@Nullable StateForm code, StateForm stored) {
		return StateForm.difference(code, EVENTS + stored.inDefinition() + ROWS);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "total", "lines[].sku, total" })
	void areFoundInADefinition(String properties) {
		StateForm form = new StateForm(properties.isEmpty() ? List.of() : List.of(properties.split(", ")));
		String definition = EVENTS + form.inDefinition() + ROWS;
		assertThat(definition).isEqualTo(EVENTS + " with states of (" + properties + ")" + ROWS);
		assertThat(StateForm.of(definition)).isEqualTo(form);
		assertThat(StateForm.without(definition)).isEqualTo(EVENTS + ROWS);
	}

	@Test
	void areNotInADefinitionThatHasNone() {
		assertThat(StateForm.of(EVENTS + ROWS)).isNull();
		assertThat(StateForm.without(EVENTS + " by #{f(1)}")).isEqualTo(EVENTS + " by #{f(1)}");
	}

	@Test
	void haveAnyNamesInAnyOrder() {
		StateForm odd = form("b, c) with states of (", "a");
		assertThat(StateForm.of(EVENTS + odd.inDefinition() + ROWS)).isEqualTo(odd);
		assertThat(form("b", "a", "b")).isEqualTo(form("a", "b"));
	}

	@Test
	void differOnlyIfBothAreKnown() {
		assertThat(difference(form("a"), form("b"))).isNotNull();
		assertThat(difference(form("a", "b"), form("b", "a"))).isNull();
		assertThat(difference(null, form("b"))).isNull();
		assertThat(StateForm.difference(form("a"), EVENTS + ROWS)).isNull();
	}

	@Test
	void areComparedInWords() {
		assertThat(difference(form("a", "count", "sum"), form("a", "total")))
			.isEqualTo("has 'count', 'sum', which they lack, and lacks 'total', which they have");
		assertThat(difference(form("a"), form("a", "b"))).isEqualTo("lacks 'b', which they have");
		StateForm many = new StateForm(IntStream.range(10, 22).mapToObj((i) -> "p" + i).toList());
		assertThat(difference(many, form())).startsWith("has 'p10', ").endsWith("'p19' and 2 more, which they lack");
	}

}
