package dev.eventing.sdk.liveview.run;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.liveview.InvalidLiveKeyException;
import dev.eventing.sdk.liveview.InvalidLiveViewException;
import dev.eventing.sdk.liveview.LiveView;
import dev.eventing.sdk.liveview.LiveViewDefinition;
import dev.eventing.sdk.liveview.fold.ViewFold;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What the methods of a bean with {@link LiveView} come to. */
class AnnotatedViewTests {

	private static LiveViewDefinition<?> definition(Object bean) {
		LiveView view = bean.getClass().getAnnotation(LiveView.class);
		return new AnnotatedView(bean, bean.getClass(), view, UnaryOperator.identity()).definition();
	}

	private static ViewFold<?> fold(Object bean) {
		return new ViewFold<>(definition(bean), JsonMapper.shared(), 1000);
	}

	private static Event<Moved> moved(@Nullable String... keys) {
		return Event.builder(TenantId.of("acme"), new Moved(Arrays.asList(keys))).build();
	}

	@Test
	void namesEachOfTheKeysOnceInTheirOrder() {
		ViewFold<?> fold = fold(new Moves());
		assertThat(definition(new Moves()).hasManyKeys()).isTrue();
		assertThat(fold.keysOf(moved("b", "a", "b"))).containsExactly("a", "b");
		assertThat(fold.keysOf(moved())).isEmpty();
		assertThat(fold.orderOf(moved())).isNull();
	}

	@Test
	void ordersAllEventsOfAViewAlikeIfOneOfThemMayHaveSeveralKeys() {
		ViewFold<?> fold = fold(new Moves());
		assertThat(fold.orderOf(moved("a", "b"))).isEqualTo("*");
		assertThat(fold.orderOf(moved("c"))).isEqualTo("*");
		assertThat(fold.orderOf(Event.builder(TenantId.of("acme"), new Counted("c")).build())).isEqualTo("*");
		assertThat(fold(new Counts()).orderOf(Event.builder(TenantId.of("acme"), new Counted("c")).build()))
			.isEqualTo("c");
	}

	@Test
	void refusesKeysThatNoStateCanHave() {
		ViewFold<?> fold = fold(new Moves());
		assertThatExceptionOfType(InvalidLiveKeyException.class).isThrownBy(() -> fold.keysOf(moved("a", null)))
			.withMessageContaining("is null");
		assertThatExceptionOfType(InvalidLiveKeyException.class).isThrownBy(() -> fold.keysOf(moved("a", "")))
			.withMessageContaining("is empty");
	}

	@Test
	void givesTheKeyToApply() {
		assertThat(applied(definition(new Moves()), moved("a", "b"), "b")).isEqualTo(new Place("b"));
		Event<Counted> counted = Event.builder(TenantId.of("acme"), new Counted("c")).build();
		assertThat(applied(definition(new Counts()), counted, "c")).isEqualTo(new Place("c"));
	}

	private static <S> S applied(LiveViewDefinition<S> view, Event<?> event, String key) {
		return view.folds()
			.stream()
			.filter((fold) -> fold.type().isInstance(event.payload()))
			.findFirst()
			.orElseThrow()
			.apply()
			.apply(view.initial().get(), event, key);
	}

	@Test
	void refusesWhatIsNotDefinite() {
		assertThatExceptionOfType(InvalidLiveViewException.class).isThrownBy(() -> definition(new Both()))
			.withMessageContaining("it has a method key and a method keys for Moved. Consider one of them.");
		assertThatExceptionOfType(InvalidLiveViewException.class).isThrownBy(() -> definition(new Wrong()))
			.withMessageContaining("the third parameter of its method apply is no String. Consider String key.");
	}

	record Moved(List<@Nullable String> keys) {
	}

	record Counted(String key) {
	}

	record Place(String key) {
	}

	@LiveView(value = "moves", subject = "moves.>")
	static class Moves {

		Place initial() {
			return new Place("");
		}

		List<String> keys(Moved event) {
			return event.keys();
		}

		Place apply(Place state, Moved event, String key) {
			return new Place(key);
		}

		String key(Counted event) {
			return event.key();
		}

		Place apply(Place state, Counted event) {
			return state;
		}

	}

	@LiveView(value = "counts", subject = "counts.>")
	static class Counts {

		Place initial() {
			return new Place("");
		}

		String key(Counted event) {
			return event.key();
		}

		Place apply(Place state, Counted event, String key) {
			return new Place(key);
		}

	}

	@LiveView(value = "both", subject = "both.>")
	static class Both extends Moves {

		String key(Moved event) {
			return "one";
		}

		@Override
		List<String> keys(Moved event) {
			return List.of("several");
		}

	}

	@LiveView(value = "wrong", subject = "wrong.>")
	static class Wrong {

		Place initial() {
			return new Place("");
		}

		Set<String> keys(Moved event) {
			return Set.of();
		}

		Place apply(Place state, Moved event, int key) {
			return state;
		}

	}

}
