package dev.eventing.sdk.autoconfigure;

import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.eventing.migrations.EventingMigrations;
import dev.eventing.sdk.AheadOfTime;
import dev.eventing.sdk.console.ConsoleHints;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.nats.DeliveryPort;
import dev.eventing.sdk.nats.StreamSpec;
import dev.eventing.sdk.operator.CheckChange;
import dev.eventing.sdk.operator.OperatorHints;
import dev.eventing.sdk.operator.OperatorRules;
import dev.eventing.sdk.operator.ProjectionChange;
import dev.eventing.sdk.operator.ProjectorChange;
import dev.eventing.sdk.operator.Requester;
import dev.eventing.sdk.projection.Reconciliation;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.relay.RelayOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeReference;
import org.springframework.aot.hint.predicate.ReflectionHintsPredicates;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/** The SDK's own beans in a context that is processed ahead of time. */
class AheadOfTimeTests {

	private static final ReflectionHintsPredicates REFLECTION = RuntimeHintsPredicates.reflection();

	private static final Map<String, Object> PROPERTIES = Map.of("eventing.schema.mode", "none",
			"eventing.streams.ORDERS.subjects", "acme.order.>", "eventing.relays.orders.window", "1000");

	/** Records of operators that are made of parameters, and never of JSON. */
	private static final Set<Class<?>> NO_JSON = Set.of(CheckChange.class, OperatorRules.class, ProjectionChange.class,
			ProjectionChange.Limits.class, ProjectionChange.Part.class, ProjectorChange.class, Requester.class);

	private static AheadOfTime application() {
		return AheadOfTime.of(PROPERTIES, EventingAutoConfigurationTests.Database.class, Checks.class,
				EventingAutoConfiguration.class);
	}

	@Test
	void startsFromTheCodeThatWasGenerated(@TempDir Path folder) throws Exception {
		Map<String, Object> later = Map.of("eventing.schema.mode", "none", "eventing.streams.ORDERS.subjects",
				"acme.order.>", "eventing.relays.users.window", "1000");
		assertThat(application().start(folder, later, Beans.class))
			.hasToString("[eventing.streams.ORDERS, eventing.relays.users, eventingProjectorRegistry]");
	}

	@Test
	void hasHintsForWhatIsAskedByReflection() {
		RuntimeHints hints = application().hints();
		assertThat(RuntimeHintsPredicates.proxies().forInterfaces(Connection.class)).accepts(hints);
		assertThat(REFLECTION.onConstructorInvocation(DeliveryPort.class.getConstructors()[0])).accepts(hints);
		for (String asked : List.of("org.postgresql.PGConnection", "org.postgresql.jdbc.PgStatement")) {
			assertThat(
					REFLECTION.onType(TypeReference.of(asked)).withMemberCategory(MemberCategory.INVOKE_PUBLIC_METHODS))
				.accepts(hints);
		}
		assertThat(REFLECTION.onType(TypeReference.of("org.flywaydb.core.Flyway"))).accepts(hints);
		assertThat(REFLECTION.onMethodInvocation(Event.class, "tenantId")).accepts(hints);
		assertThat(REFLECTION.onMethodInvocation(TenantId.class, "value")).accepts(hints);
		for (Class<?> settings : List.of(ProjectorSettings.class, ProjectorSettings.DeadLetters.class)) {
			assertThat(REFLECTION.onConstructorInvocation(settings.getConstructors()[0])).accepts(hints);
			assertThat(settings.getRecordComponents())
				.allSatisfy((each) -> assertThat(REFLECTION.onMethodInvocation(each.getAccessor())).accepts(hints));
		}
		assertThat(REFLECTION.onMethodInvocation(Checks.class, "query")).accepts(hints);
	}

	@Test
	void hasHintsForWhatIsReadAndBound() {
		RuntimeHints hints = application().hints();
		EventingMigrations.scripts()
			.forEach((script) -> assertThat(
					RuntimeHintsPredicates.resource().forResource("dev/eventing/migrations/postgresql/" + script))
				.accepts(hints));
		assertBound(hints, TypeReference.of("dev.eventing.sdk.store.StoredMetadata"));
		UnknownProperties.records().forEach((type) -> assertThat(REFLECTION.onType(type)).accepts(hints));
		assertThat(REFLECTION.onType(EventingProperties.Relay.class)).accepts(hints);
	}

	@Test
	void hasHintsForEachRecordOfTheJsonForOperators() {
		RuntimeHints hints = new RuntimeHints();
		new OperatorHints().registerHints(hints, getClass().getClassLoader());
		new ClassFileImporter().withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
			.importPackages("dev.eventing.sdk.operator")
			.stream()
			.filter(JavaClass::isRecord)
			.map(JavaClass::reflect)
			.filter((type) -> !NO_JSON.contains(type))
			.forEach((type) -> assertBound(hints, TypeReference.of(type)));
	}

	private static void assertBound(RuntimeHints hints, TypeReference type) {
		assertThat(REFLECTION.onType(type).withMemberCategory(MemberCategory.INVOKE_DECLARED_CONSTRUCTORS))
			.as(type.getName())
			.accepts(hints);
	}

	@Test
	void hasHintsForTheFilesOfTheConsole() {
		RuntimeHints hints = new RuntimeHints();
		new ConsoleHints().registerHints(hints, getClass().getClassLoader());
		assertThat(RuntimeHintsPredicates.resource().forResource("META-INF/eventing/console/console.js"))
			.accepts(hints);
		assertBound(hints, TypeReference.of("dev.eventing.sdk.console.Session"));
		assertThat(REFLECTION.onType(TypeReference.of("org.springframework.security.web.csrf.CsrfToken")))
			.accepts(hints);
	}

	/** The names of beans that properties declare, and of one that an annotation does. */
	static class Beans implements AheadOfTime.Look {

		@Override
		public List<String> at(GenericApplicationContext context) {
			return Stream.of(StreamSpec.class, RelayOptions.class, ProjectorRegistry.class)
				.flatMap((type) -> Stream.of(context.getBeanNamesForType(type)))
				.toList();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Checks {

		@Reconciliation(name = "orders", projector = "orders")
		String query() {
			return "select 1 where false";
		}

	}

}
