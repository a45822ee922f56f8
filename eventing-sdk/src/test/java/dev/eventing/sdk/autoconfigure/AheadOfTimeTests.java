package dev.eventing.sdk.autoconfigure;

import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.eventing.migrations.EventingMigrations;
import dev.eventing.sdk.AheadOfTime;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.nats.DeliveryPort;
import dev.eventing.sdk.nats.StreamSpec;
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

	private static void assertBound(RuntimeHints hints, TypeReference type) {
		assertThat(REFLECTION.onType(type).withMemberCategory(MemberCategory.INVOKE_DECLARED_CONSTRUCTORS))
			.as(type.getName())
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
