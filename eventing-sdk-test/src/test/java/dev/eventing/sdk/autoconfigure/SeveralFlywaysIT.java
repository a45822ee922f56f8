package dev.eventing.sdk.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.sql.DataSource;

import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.schema.DatabaseUnavailableException;
import dev.eventing.sdk.schema.MigrationDataSource;
import dev.eventing.sdk.schema.OtherDatabaseException;
import dev.eventing.sdk.test.server.TestServers;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * The Flyways of an application migrate the database of the SDK, another one, or both.
 */
@ExtendWith(OutputCaptureExtension.class)
class SeveralFlywaysIT {

	private static final String SCRIPTS = "classpath:dev/eventing/sdk/autoconfigure/migration";

	private static final String AWAY = "jdbc:postgresql://127.0.0.1:1/reports?user=postgres";

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private final String root = this.fixture.name();

	private final String role = this.fixture.role("login");

	private final String database = this.fixture.emptyDatabase();

	private final String other = this.fixture.emptyDatabase();

	@Test
	void theFlywayOfAnotherDatabaseIsLeftAlone(CapturedOutput output) {
		jdbc(this.database).execute("create table users (tenant_id text, event_id uuid, name text, thread text)");
		run("postgres", "eventing.schema.mode=migrate", "spring.flyway.url=" + this.other,
				"spring.flyway.user=postgres")
			.close();
		assertThat(owners(this.database)).containsExactly("postgres");
		assertThat(owners(this.other)).isEmpty();
		assertThat(output).contains("migrate other databases ({flyway='" + name(this.other) + "' of ",
				"than that of the SDK ('" + name(this.database) + "' of ");
	}

	@Test
	void ofTwoFlywaysTheOneOfItsDatabaseCreatesTheTables() {
		jdbc(this.database).execute("alter default privileges in schema public grant all on tables to " + this.role);
		run(this.role, "eventing.schema.mode=migrate", sources(OneOfEach.class)).close();
		assertThat(owners(this.database)).containsExactly("postgres");
		assertThat(owners(this.other)).isEmpty();
		run(this.role, "eventing.schema.mode=validate", sources(OneOfEach.class)).close();
	}

	@Test
	void twoFlywaysOfItsDatabaseLeaveTheTablesToTheApplication(CapturedOutput output) {
		jdbc(this.database).execute("grant all on database " + name(this.database) + " to " + this.role);
		jdbc(this.database).execute("alter default privileges in schema public grant all on tables to " + this.role);
		run(this.role, "eventing.schema.mode=migrate", sources(TwoOfOne.class)).close();
		assertThat(owners(this.database)).containsExactly(this.role);
		assertThat(output).contains("The Flyways [first, second] all migrate the database of the SDK");
	}

	@Test
	void connectionsOfAnotherDatabaseAreRefusedByTheNamesOfBoth() {
		assertThatException()
			.isThrownBy(() -> run("postgres", "eventing.schema.mode=migrate", sources(ElsewhereDeclared.class)).close())
			.havingRootCause()
			.isInstanceOf(OtherDatabaseException.class)
			.withMessageContaining("The MigrationDataSource reaches database '" + name(this.other) + "' of ")
			.withMessageContaining("the application reaches database '" + name(this.database) + "' of ");
		assertThat(owners(this.database)).isEmpty();
		assertThat(owners(this.other)).isEmpty();
	}

	/** It is another one's business, such as that of a report. */
	@Test
	void aFlywayOfAnotherDatabaseThatIsAwayIsLeftAlone(CapturedOutput output) {
		jdbc(this.database).execute("alter default privileges in schema public grant all on tables to " + this.role);
		run(this.role, "eventing.schema.mode=migrate", sources(OneAway.class)).close();
		assertThat(owners(this.database)).containsExactly("postgres");
		assertThat(output).contains("WARN", "Flyway 'first' counts as one of another database than that of the SDK,"
				+ " because its connections do not answer: PSQLException: Connection to 127.0.0.1:1 refused");
	}

	@Test
	void theOnlyFlywayThatIsAwayIsNamed(CapturedOutput output) {
		assertThatException()
			.isThrownBy(() -> run("postgres", "eventing.schema.mode=migrate", sources(Away.class)).close())
			.havingCause()
			.withStackTraceContaining(DatabaseUnavailableException.class.getName()
					+ ": Flyway 'first' has connections that do not answer, so");
		assertThat(owners(this.database)).isEmpty();
		assertThat(output).contains("or those of 'spring.flyway' if they differ");
	}

	/** Then another primary one would be the wrong advice. */
	@Test
	void thePrimaryFlywayOfAnotherDatabaseStaysPrimary(CapturedOutput output) {
		jdbc(this.database).execute("grant all on database " + name(this.database) + " to " + this.role);
		jdbc(this.database).execute("alter default privileges in schema public grant all on tables to " + this.role);
		run(this.role, "eventing.schema.mode=migrate", sources(TwoOfOne.class, PrimaryElsewhere.class)).close();
		assertThat(owners(this.database)).containsExactly(this.role);
		assertThat(output)
			.contains("and none of them is primary, so the DataSource of the application creates the SDK's"
					+ " tables. Consider a bean of type MigrationDataSource.");
	}

	private static String sources(Class<?>... more) {
		return "spring.main.sources=" + Stream.of(more).map(Class::getName).collect(Collectors.joining(","));
	}

	private ConfigurableApplicationContext run(String user, String... more) {
		List<String> properties = new ArrayList<>(
				List.of("root=" + this.root, "other=" + this.other, "owner=" + this.database,
						"spring.datasource.url=" + this.database.replace("user=postgres", "user=" + user),
						"spring.datasource.username=" + user, "eventing.nats.servers=" + TestServers.nats().url(),
						"eventing.streams." + this.root + ".subjects=" + this.root + ".>"));
		properties.addAll(List.of(more));
		return UsersApplication.run(properties.toArray(String[]::new));
	}

	private static List<String> owners(String database) {
		return jdbc(database).queryForList(
				"select distinct tableowner::text from pg_tables where schemaname = 'eventing'", String.class);
	}

	private static JdbcTemplate jdbc(String database) {
		return new JdbcTemplate(TestServers.postgres().dataSource(database));
	}

	private static String name(String database) {
		return String.valueOf(jdbc(database).queryForObject("select current_database()", String.class));
	}

	private static Flyway flyway(DataSource dataSource, String history) {
		return Flyway.configure().dataSource(dataSource).locations(SCRIPTS).table(history).load();
	}

	/** The database of the SDK by another role, and another database. */
	@Configuration(proxyBeanMethods = false)
	static class OneOfEach {

		@Bean(initMethod = "migrate")
		Flyway first(@Value("${other}") String other) {
			return flyway(TestServers.postgres().dataSource(other), "first");
		}

		@Bean(initMethod = "migrate")
		Flyway second(@Value("${owner}") String owner) {
			return flyway(TestServers.postgres().dataSource(owner), "second");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoOfOne {

		@Bean(initMethod = "migrate")
		Flyway first(@Value("${owner}") String owner) {
			return flyway(TestServers.postgres().dataSource(owner), "first");
		}

		@Bean(initMethod = "info")
		Flyway second(@Value("${owner}") String owner) {
			return flyway(TestServers.postgres().dataSource(owner), "second");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class PrimaryElsewhere {

		@Bean
		@Primary
		Flyway third(@Value("${other}") String other) {
			return flyway(TestServers.postgres().dataSource(other), "third");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Away {

		@Bean
		Flyway first() {
			return Flyway.configure().dataSource(TestServers.postgres().dataSource(AWAY)).load();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OneAway extends Away {

		@Bean(initMethod = "migrate")
		Flyway second(@Value("${owner}") String owner) {
			return flyway(TestServers.postgres().dataSource(owner), "second");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ElsewhereDeclared {

		@Bean
		MigrationDataSource elsewhere(@Value("${other}") String other) {
			return new MigrationDataSource(TestServers.postgres().dataSource(other));
		}

	}

}
