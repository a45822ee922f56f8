package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.eventing.sdk.InvalidDeclarationException;
import dev.eventing.sdk.deadletter.DeadLetterStreamOptions;
import dev.eventing.sdk.event.EventDowncaster;
import dev.eventing.sdk.event.EventUpcaster;
import dev.eventing.sdk.event.WrittenVersions;
import dev.eventing.sdk.jdbc.JdbcOptions;
import dev.eventing.sdk.lease.LeaseOptions;
import dev.eventing.sdk.liveview.InvalidLiveViewException;
import dev.eventing.sdk.liveview.LiveViewDefinition;
import dev.eventing.sdk.liveview.LiveViewOptions;
import dev.eventing.sdk.liveview.LiveViews;
import dev.eventing.sdk.nats.StreamSpec;
import dev.eventing.sdk.projection.ReconciliationOptions;
import dev.eventing.sdk.projector.ProjectorRuntime;
import dev.eventing.sdk.projector.ProjectorSettingsSource;
import dev.eventing.sdk.projector.PruningOptions;
import dev.eventing.sdk.projector.TenantTransactionListener;
import dev.eventing.sdk.relay.RelayOptions;
import dev.eventing.sdk.schema.MigrationDataSource;
import dev.eventing.sdk.schema.SchemaMode;
import dev.eventing.sdk.store.AppendGuard;
import dev.eventing.sdk.store.AppendListener;
import dev.eventing.sdk.store.AppendedEvents;
import dev.eventing.sdk.store.PendingAppend;
import dev.eventing.sdk.store.StoreOptions;
import dev.eventing.sdk.worker.StallOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** Beans beside handlers that the context of the SDK does not see, or not at once. */
@ExtendWith(OutputCaptureExtension.class)
class DeclarationsInOtherContextsIT {

	@AutoClose
	private final World world = World.create();

	@Test
	void beansOfEachKindInAContextBelowAreRefusedAndThoseAboveGoOn() {
		try (AnnotationConfigApplicationContext above = this.world.start(WorldApplication.of(new Accounts()))) {
			declarations().forEach((bean, kind) -> assertRefused(above, bean, kind));
			this.world.publish(World.ACME, "a", 1, 1);
			await().until(() -> this.world.version(World.ACME, "a") == 1);
		}
	}

	/** Code of the context below may hand each of them to a part of the SDK itself. */
	@Test
	void beansBelowThatCodeMayUseAreWarnedOf(CapturedOutput output) {
		try (AnnotationConfigApplicationContext above = this.world.start(WorldApplication.of())) {
			usable().forEach((bean, kind) -> {
				try (AnnotationConfigApplicationContext below = below(above)) {
					register(below, bean);
					below.refresh();
					assertThat(output).containsOnlyOnce("Bean 'declared' (" + bean.getClass().getName()
							+ ") of context 'below' " + kind
							+ ", but the SDK is in a context above and does not see it. Consider declaring it there,"
							+ " unless code of this context uses it.");
				}
			});
		}
	}

	@Test
	void aViewBelowMayBeDefinedThere() {
		try (AnnotationConfigApplicationContext above = this.world.start(WorldApplication.of());
				AnnotationConfigApplicationContext below = below(above)) {
			LiveViewDefinition<Long> view = LiveViewDefinition.of("below", Long.class, () -> 0L)
				.subject(this.world.subject())
				.on(Deposited.class, Deposited::account, (state, event) -> state + event.amount())
				.build();
			register(below, view);
			below.registerBean(InitializingBean.class,
					() -> () -> above.getBean(LiveViews.class).define(below.getBean(LiveViewDefinition.class)));
			below.refresh();
			assertThat(above.getBean(LiveViews.class).names()).containsExactly("below");
		}
	}

	@Test
	void aDefinitionOfAViewThatIsNoSingletonIsRefused() {
		WorldApplication prototype = WorldApplication.of()
			.customize((context) -> context.registerBean("many", LiveViewDefinition.class,
					() -> LiveViewDefinition.of("many", Long.class, () -> 0L).build(),
					(definition) -> definition.setScope(BeanDefinition.SCOPE_PROTOTYPE)));
		assertThatExceptionOfType(InvalidLiveViewException.class).isThrownBy(() -> this.world.start(prototype))
			.withMessage("Bean 'many' is a LiveViewDefinition, but is not a singleton. Consider making it one.");
	}

	@Test
	void aLiveViewBelowOfWhichOnlyAnInterfaceIsDeclaredIsRefused() {
		try (AnnotationConfigApplicationContext above = this.world.start(WorldApplication.of());
				AnnotationConfigApplicationContext below = below(above)) {
			below.register(Eager.class);
			assertThatExceptionOfType(InvalidDeclarationException.class).isThrownBy(below::refresh)
				.withMessageContaining("Bean 'view' (" + ShownBalances.class.getName() + ") of context 'below': it is a"
						+ " live view, but the SDK is in a context above and does not see it.");
		}
	}

	@Test
	void aLazyLiveViewBelowOfItsOwnClassIsRefused() {
		try (AnnotationConfigApplicationContext above = this.world.start(WorldApplication.of());
				AnnotationConfigApplicationContext below = below(above)) {
			below.register(LazyBalances.class);
			assertThatExceptionOfType(InvalidDeclarationException.class).isThrownBy(below::refresh)
				.withMessageContaining(LazyBalances.class.getName())
				.withMessageContaining("it is a live view, but");
		}
	}

	@Test
	void aLazyLiveViewBelowOfWhichOnlyAnInterfaceIsDeclaredIsWarnedOf(CapturedOutput output) {
		try (AnnotationConfigApplicationContext above = this.world.start(WorldApplication.of());
				AnnotationConfigApplicationContext below = below(above)) {
			below.register(Lazily.class);
			below.refresh();
			assertThat(output)
				.contains("Of these lazy beans of context 'below' only an interface or a base class is known, so"
						+ " handlers, live views and checks of their classes would not run: [view ("
						+ Shown.class.getName() + ")].")
				.doesNotContain("Bean 'view'");
			assertThat(below.getBean(Shown.class)).isSameAs(below.getBean(Shown.class));
			assertThat(output).containsOnlyOnce("Bean 'view' (" + ShownBalances.class.getName()
					+ ") of context 'below' is a live view, but the SDK is in a context above and does not see it."
					+ " Consider declaring it there, with its own class as type.");
		}
	}

	@Test
	void aLiveViewOfWhichOnlyAnInterfaceIsDeclaredRuns() {
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of().customize((context) -> context.register(Eager.class)))) {
			assertThat(application.getBean(LiveViews.class).names()).containsExactly(Balances.NAME);
		}
	}

	@Test
	void aLazyLiveViewOfWhichOnlyAnInterfaceIsDeclaredIsWarnedOf(CapturedOutput output) {
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of().customize((context) -> context.register(Lazily.class)))) {
			assertThat(output)
				.contains("Of these lazy beans only an interface or a base class is known, so handlers, live views and"
						+ " checks of their classes would not run: [view (" + Shown.class.getName() + ")].");
			assertThat(application.getBean(Shown.class)).isSameAs(application.getBean(Shown.class));
			assertThat(application.getBean(LiveViews.class).names()).isEmpty();
			assertThat(output).containsOnlyOnce("Bean 'view' (" + ShownBalances.class.getName()
					+ ") is a live view, but it was created after the start of the SDK, so the SDK does not see it.");
		}
	}

	@Test
	void aLazyLiveViewOfItsOwnClassRuns(CapturedOutput output) {
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of().customize((context) -> context.register(LazyBalances.class)))) {
			assertThat(application.getBean(LiveViews.class).names()).containsExactly(Balances.NAME);
			assertThat(application.getBean(LazyBalances.class)).isNotNull();
			assertThat(output).doesNotContain("Of these lazy beans").doesNotContain("does not see it");
		}
	}

	private static AnnotationConfigApplicationContext below(AnnotationConfigApplicationContext above) {
		AnnotationConfigApplicationContext below = new AnnotationConfigApplicationContext();
		below.setParent(above);
		below.setDisplayName("below");
		return below;
	}

	private static <T> void register(AnnotationConfigApplicationContext context, T bean) {
		@SuppressWarnings("unchecked")
		Class<T> type = (Class<T>) bean.getClass();
		context.registerBean("declared", type, () -> bean);
	}

	private static void assertRefused(AnnotationConfigApplicationContext above, Object bean, String kind) {
		try (AnnotationConfigApplicationContext below = below(above)) {
			register(below, bean);
			assertThatExceptionOfType(InvalidDeclarationException.class).as(kind)
				.isThrownBy(below::refresh)
				.withMessageContaining("Bean 'declared' (" + bean.getClass().getName() + ") of context 'below': it "
						+ kind
						+ ", but the SDK is in a context above and does not see it. Consider declaring it there, or"
						+ " @EnableEventing in this context instead.");
		}
	}

	/** Beans, and what the error calls them. */
	private static Map<Object, String> declarations() {
		Map<Object, String> kinds = new LinkedHashMap<>();
		kinds.put(new Balances(), "is a live view");
		kinds.put(new TotalsChecks(), "has checks of a read model");
		kinds.put(RelayOptions.named("below"), "defines a relay");
		kinds.put(new Transactions(), "is a listener of transactions");
		kinds.put(ProjectorSettingsSource.none(), "sets options of projectors");
		kinds.put(new MigrationDataSource(new DriverManagerDataSource()), "has the connections of migrations");
		for (Object options : List.of(SchemaMode.NONE, JdbcOptions.defaults(), StallOptions.defaults(),
				WrittenVersions.NEWEST, ProjectorRuntime.defaults(), PruningOptions.DEFAULTS,
				ReconciliationOptions.defaults(), DeadLetterStreamOptions.defaults(), LiveViewOptions.DEFAULTS)) {
			kinds.put(options, "sets options of the SDK");
		}
		return kinds;
	}

	private static Map<Object, String> usable() {
		Map<Object, String> kinds = new LinkedHashMap<>();
		kinds.put(LiveViewDefinition.of("below", Long.class, () -> 0L).build(), "defines a live view");
		kinds.put(new StreamSpec("below", List.of("below.>"), 1, null), "declares a stream");
		kinds.put(new Upcaster(), "is an upcaster");
		kinds.put(new Downcaster(), "is a downcaster");
		kinds.put(new Appends(), "is a listener of appends");
		kinds.put(LeaseOptions.of(Duration.ofSeconds(9)), "sets options of the SDK");
		kinds.put(StoreOptions.defaults(), "sets options of the SDK");
		return kinds;
	}

	/** Does not show that its classes are live views. */
	interface Shown {

	}

	static class ShownBalances extends Balances implements Shown {

	}

	@Lazy
	static class LazyBalances extends Balances {

	}

	@Configuration(proxyBeanMethods = false)
	static class Eager {

		@Bean
		Shown view() {
			return new ShownBalances();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Lazily {

		@Bean
		@Lazy
		Shown view() {
			return new ShownBalances();
		}

	}

	private static final class Upcaster implements EventUpcaster {

		@Override
		public String eventType() {
			return "Deposited";
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

	private static final class Downcaster implements EventDowncaster {

		@Override
		public String eventType() {
			return "Deposited";
		}

		@Override
		public int toVersion() {
			return 1;
		}

		@Override
		public JsonNode downcast(JsonNode payload) {
			return payload;
		}

	}

	private static final class Appends implements AppendListener {

		@Override
		public String name() {
			return "below";
		}

		@Override
		public AppendGuard beforeAppend(PendingAppend append) {
			return AppendGuard.NONE;
		}

		@Override
		public void appended(AppendedEvents append, @Nullable String guard) {
			throw new IllegalStateException("It is not called: " + append);
		}

	}

	private static final class Transactions implements TenantTransactionListener {

	}

}
