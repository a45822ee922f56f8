package dev.eventing.sdk.autoconfigure;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSessionContext;

import dev.eventing.sdk.nats.NatsOptions;
import io.nats.client.Options;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.context.properties.source.MutuallyExclusiveConfigurationPropertiesException;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.SslStoreBundle;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/** How properties say where NATS is, and who logs in. */
class NatsPropertiesTests {

	private final ApplicationContextRunner context = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(EventingAutoConfiguration.class))
		.withUserConfiguration(EventingAutoConfigurationTests.Database.class)
		.withPropertyValues("eventing.schema.mode=none");

	@Test
	void namesThePropertyOfServersThatAreNoUrls() {
		this.context.withPropertyValues("eventing.nats.servers=nats://me:secret@one two:4222")
			.run((found) -> assertThat(found).getFailure()
				.rootCause()
				.isInstanceOfSatisfying(InvalidConfigurationPropertyValueException.class, (refusal) -> {
					assertThat(refusal.getName()).isEqualTo("eventing.nats.servers");
					assertThat(refusal.getReason()).contains("are not valid URLs. Consider one such as");
					assertThat(refusal).hasMessageNotContaining("secret");
				}));
	}

	@Test
	void readsHowToReachNats() {
		this.context
			.withPropertyValues("eventing.nats.servers=nats://one:4222,nats://two:4222",
					"eventing.nats.connection-timeout=7s", "eventing.nats.reconnect-wait=3s")
			.run((found) -> {
				NatsOptions options = found.getBean(NatsOptions.class);
				assertThat(options.servers()).containsExactly("nats://one:4222", "nats://two:4222");
				assertThat(options.connectionTimeout()).isEqualTo(Duration.ofSeconds(7));
				assertThat(options.reconnectWait()).isEqualTo(Duration.ofSeconds(3));
				assertThat(options.connectionName()).isEqualTo("eventing-sdk");
			});
	}

	@Test
	void reachesALocalServerUnlessToldOtherwise() {
		this.context.run((found) -> assertThat(found.getBean(NatsOptions.class).servers())
			.containsExactly("nats://localhost:4222"));
	}

	@Test
	void namesTheConnectionAfterTheApplication() {
		this.context.withPropertyValues("spring.application.name=shop")
			.run((found) -> assertThat(found.getBean(NatsOptions.class).connectionName()).isEqualTo("shop"));
		this.context.withPropertyValues("spring.application.name=shop", "eventing.nats.connection-name=till")
			.run((found) -> assertThat(found.getBean(NatsOptions.class).connectionName()).isEqualTo("till"));
	}

	@Test
	void takesTheJetStreamOfADomainOrBehindAPrefix() {
		this.context
			.run((found) -> assertThat(found.getBean(NatsOptions.class).jetStreamPrefix()).isEqualTo("$JS.API"));
		this.context.withPropertyValues("eventing.nats.jetstream-domain=hub").run((found) -> {
			assertThat(found.getBean(NatsOptions.class).jetStreamDomain()).isEqualTo("hub");
			assertThat(found.getBean(NatsOptions.class).jetStreamPrefix()).isEqualTo("$JS.hub.API");
		});
		this.context.withPropertyValues("eventing.nats.jetstream-api-prefix=of.hub", "eventing.nats.token=secret")
			.run((found) -> assertThat(found.getBean(NatsOptions.class).jetStreamPrefix()).isEqualTo("of.hub"));
	}

	@Test
	void refusesADomainThatNoServerHasAndADomainBesideAPrefix() {
		this.context.withPropertyValues("eventing.nats.jetstream-domain=the.hub")
			.run((found) -> assertThat(found).getFailure()
				.hasStackTraceContaining("eventing.nats.jetstream-domain")
				.hasStackTraceContaining("'the.hub' is empty, or contains a dot"));
		this.context.withPropertyValues("eventing.nats.jetstream-api-prefix=hub.>")
			.run((found) -> assertThat(found).getFailure()
				.hasStackTraceContaining("eventing.nats.jetstream-api-prefix")
				.hasStackTraceContaining("or a wildcard"));
		this.context
			.withPropertyValues("eventing.nats.jetstream-domain=hub", "eventing.nats.jetstream-api-prefix=$JS.hub.API")
			.run((found) -> assertThat(found).getFailure()
				.hasStackTraceContaining("MutuallyExclusiveConfigurationPropertiesException"));
	}

	@Test
	void logsInWithUserAndPassword() {
		this.context.withPropertyValues("eventing.nats.username=me", "eventing.nats.password=secret").run((found) -> {
			Options client = clientOptions(found.getBean(NatsOptions.class));
			assertThat(new String(client.getUsernameChars())).isEqualTo("me");
			assertThat(new String(client.getPasswordChars())).isEqualTo("secret");
			assertThat(found.getBean(EventingProperties.class).toString()).doesNotContain("secret");
		});
	}

	@Test
	void logsInWithAToken() {
		this.context.withPropertyValues("eventing.nats.token=secret")
			.run((found) -> assertThat(new String(clientOptions(found.getBean(NatsOptions.class)).getTokenChars()))
				.isEqualTo("secret"));
	}

	@Test
	void logsInWithACredentialsFile(@TempDir Path directory) throws Exception {
		Path file = Files.createFile(directory.resolve("user.creds"));
		this.context.withPropertyValues("eventing.nats.credentials-file=" + file)
			.run((found) -> assertThat(clientOptions(found.getBean(NatsOptions.class)).getAuthHandler()).isNotNull());
	}

	@Test
	void saysAtStartUpThatACredentialsFileIsMissing() {
		this.context.withPropertyValues("eventing.nats.credentials-file=/no/such/file.creds")
			.run((found) -> assertThat(found).getFailure()
				.hasRootCauseInstanceOf(InvalidConfigurationPropertyValueException.class));
	}

	@Test
	void refusesTwoWaysToLogIn() {
		this.context.withPropertyValues("eventing.nats.username=me", "eventing.nats.token=secret")
			.run((found) -> assertThat(found).getFailure()
				.hasRootCauseInstanceOf(MutuallyExclusiveConfigurationPropertiesException.class));
	}

	/** As from variables that are there without a value. */
	@Test
	void logsInWithNothingThatIsEmpty() {
		this.context
			.withPropertyValues("eventing.nats.username=", "eventing.nats.password=", "eventing.nats.token=secret")
			.run((found) -> {
				Options client = clientOptions(found.getBean(NatsOptions.class));
				assertThat(client.getUsernameChars()).isNull();
				assertThat(new String(client.getTokenChars())).isEqualTo("secret");
			});
		this.context.withPropertyValues("eventing.nats.username=", "eventing.nats.token=").run((found) -> {
			Options client = clientOptions(found.getBean(NatsOptions.class));
			assertThat(client.getUsernameChars()).isNull();
			assertThat(client.getTokenChars()).isNull();
		});
	}

	@Test
	void takesTheSslBundleOfThatName() {
		ApplicationContextRunner ssl = this.context.withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class))
			.withPropertyValues("spring.ssl.bundle.jks.mine.key.alias=any");
		ssl.withPropertyValues("eventing.nats.ssl.bundle=mine")
			.run((found) -> assertThat(clientOptions(found.getBean(NatsOptions.class)).getSslContext()).isNotNull());
		ssl.withPropertyValues("eventing.nats.ssl.bundle=yours")
			.run((found) -> assertThat(found).getFailure().hasRootCauseInstanceOf(NoSuchSslBundleException.class));
	}

	/** As with certificates that are renewed. Each context has separate sessions. */
	@Test
	void connectsAsTheNewestStateOfTheSslBundleSays() {
		DefaultSslBundleRegistry bundles = new DefaultSslBundleRegistry("mine", SslBundle.of(SslStoreBundle.NONE));
		this.context.withBean(SslBundles.class, () -> bundles)
			.withPropertyValues("eventing.nats.ssl.bundle=mine")
			.run((found) -> {
				SSLContext tls = clientOptions(found.getBean(NatsOptions.class)).getSslContext();
				SSLSessionContext sessions = tls.getClientSessionContext();
				assertThat(tls.getClientSessionContext()).isSameAs(sessions);
				bundles.updateBundle("mine", SslBundle.of(SslStoreBundle.NONE));
				assertThat(tls.getClientSessionContext()).isNotSameAs(sessions);
			});
	}

	@Test
	void asksConnectionDetailsBeforeProperties() {
		this.context.withPropertyValues("eventing.nats.servers=nats://property:4222")
			.withBean(NatsConnectionDetails.class, () -> () -> List.of("nats://container:4222"))
			.run((found) -> assertThat(found.getBean(NatsOptions.class).servers())
				.containsExactly("nats://container:4222"));
	}

	private static Options clientOptions(NatsOptions options) {
		Options.Builder builder = new Options.Builder();
		options.customizer().accept(builder);
		return builder.build();
	}

}
