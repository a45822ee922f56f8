package dev.eventing.sdk.config;

import java.lang.reflect.Method;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import dev.eventing.sdk.event.EventUpcaster;
import dev.eventing.sdk.event.PayloadTypes;
import dev.eventing.sdk.liveview.LiveView;
import dev.eventing.sdk.liveview.LiveViewDefinition;
import dev.eventing.sdk.liveview.LiveViewWebOptions;
import dev.eventing.sdk.nats.StreamSpec;
import dev.eventing.sdk.projection.Reconciliation;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.relay.RelayOptions;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.schema.SchemaMode;
import dev.eventing.sdk.store.EventStore;
import dev.eventing.sdk.store.StoreOptions;
import dev.eventing.sdk.worker.Watched;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.core.ResolvableType;

import static org.assertj.core.api.Assertions.assertThat;

class DeclaredBeanKindsTests {

	/**
	 * Optional beans that a context below may have for its own use, and beans of the SDK.
	 */
	private static final Set<Class<?>> USED_BELOW = Set.of(Clock.class, EventingSchema.class, PayloadTypes.class,
			LiveViewWebOptions.class, ProjectorRegistry.class, EventStore.class, Watched.class);

	private final DeclaredBeanKinds kinds = new DeclaredBeanKinds();

	@Test
	void areKnownByAnAnnotationOrAType() {
		assertThat(words(View.class)).isEqualTo("is a live view");
		assertThat(words(Derived.class)).isEqualTo("is a live view");
		assertThat(words(Checks.class)).isEqualTo("has checks of a read model");
		assertThat(words(LiveViewDefinition.class)).isEqualTo("defines a live view");
		assertThat(words(RelayOptions.class)).isEqualTo("defines a relay");
		assertThat(words(Upcaster.class)).isEqualTo("is an upcaster");
	}

	@Test
	void noOtherClassHasOne() {
		for (Class<?> type : List.of(Object.class, Clock.class, DeclaredBeanKindsTests.class)) {
			assertThat(this.kinds.kindOf(type)).isNull();
			assertThat(this.kinds.kindOf(type)).as("again").isNull();
		}
	}

	@Test
	void includeEachOptionalBeanThatOnlyTheSdkHasAUseFor() {
		Set<String> unknown = new TreeSet<>();
		Set<Class<?>> optional = Set.copyOf(optional().toList());
		optional.stream()
			.filter((type) -> this.kinds.kindOf(type) == null && !USED_BELOW.contains(type))
			.forEach((type) -> unknown.add(type.getName()));
		assertThat(unknown).as("beans that do nothing in a context below; give them a kind").isEmpty();
		assertThat(optional).containsAll(USED_BELOW).hasSizeGreaterThan(20);
	}

	/** A context below may hand them to parts of the SDK itself. */
	@Test
	void saysOfWhichBeansCodeMayMakeUse() {
		assertThat(Stream.of(LiveViewDefinition.class, Upcaster.class, StreamSpec.class, StoreOptions.class))
			.noneMatch(this::isForTheSdkAlone);
		assertThat(Stream.of(View.class, Checks.class, RelayOptions.class, SchemaMode.class))
			.allMatch(this::isForTheSdkAlone);
	}

	private boolean isForTheSdkAlone(Class<?> type) {
		return Objects.requireNonNull(this.kinds.kindOf(type)).forTheSdkAlone();
	}

	private String words(Class<?> type) {
		return Objects.requireNonNull(this.kinds.kindOf(type)).words();
	}

	/** The types of beans that the SDK's own bean methods take if there are some. */
	private static Stream<Class<?>> optional() {
		return Stream
			.of(EventingConfiguration.class, EventFormConfiguration.class, InlineConfiguration.class,
					LifecycleConfiguration.class, LiveViewConfiguration.class, LiveViewWebConfiguration.class,
					StoreConfiguration.class)
			.flatMap((configuration) -> Stream.of(configuration.getDeclaredMethods()))
			.filter((method) -> method.isAnnotationPresent(Bean.class))
			.flatMap(DeclaredBeanKindsTests::optionalOf);
	}

	private static Stream<Class<?>> optionalOf(Method method) {
		return Stream.of(method.getGenericParameterTypes())
			.map(ResolvableType::forType)
			.filter((type) -> type.toClass() == ObjectProvider.class)
			.map((type) -> type.getGeneric(0).toClass());
	}

	@LiveView(value = "seen", subject = "{tenant}.seen")
	static class View {

	}

	static class Derived extends View {

	}

	static class Checks {

		@Reconciliation(name = "seen", projector = "seen")
		String seen() {
			return "select 1 where false";
		}

	}

	static class Upcaster implements EventUpcaster {

		@Override
		public String eventType() {
			return "Seen";
		}

		@Override
		public int fromVersion() {
			return 1;
		}

		@Override
		public JsonNode upcast(JsonNode payload) {
			return payload;
		}

	}

}
