package dev.eventing.sdk.autoconfigure;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.projector.ProjectorProgress;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.store.AppendResult;
import dev.eventing.sdk.store.EventStore;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.NewEvent;
import dev.eventing.sdk.test.server.TestServers;
import dev.eventing.sdk.test.timing.Patience;
import dev.eventing.sdk.worker.PartsLifecycle;
import dev.eventing.sdk.worker.RunningPart;
import dev.eventing.sdk.worker.StallWatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The SDK's parts run from before the first request until after the last one. */
class WebShutdownIT {

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private final String root = this.fixture.name();

	private final String database = this.fixture.emptyDatabase();

	@Test
	void projectsWhatARequestAppendsAfterTheShutdownHasBegun() throws Exception {
		try (ConfigurableApplicationContext application = run()) {
			int port = application.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
			ProjectorRegistry projectors = application.getBean(ProjectorRegistry.class);
			Requests requests = application.getBean(Requests.class);
			CompletableFuture<HttpResponse<String>> answer = get("http://127.0.0.1:" + port + "/append/Ada");
			assertThat(requests.underWay.await(60, TimeUnit.SECONDS)).isTrue();

			CompletableFuture<Void> closed = CompletableFuture.runAsync(application::close);
			await().until(() -> isRefused(port) || !projectors.isRunning());
			requests.goOn.countDown();

			assertThat(answer.get(60, TimeUnit.SECONDS).body()).isEqualTo("projected: true");
			closed.get(60, TimeUnit.SECONDS);
			assertThat(projectors.isRunning()).isFalse();
		}
	}

	@Test
	void startsBeforeAndStopsAfterTheWebServer() {
		try (ConfigurableApplicationContext application = run()) {
			int web = application.getBeansOfType(SmartLifecycle.class)
				.values()
				.stream()
				.filter((bean) -> bean.getClass().getPackageName().startsWith("org.springframework.boot.web.server"))
				.mapToInt(SmartLifecycle::getPhase)
				.min()
				.orElseThrow();
			assertThat(web).isLessThan(WebServerApplicationContext.GRACEFUL_SHUTDOWN_PHASE);
			assertThat(application.getBeansOfType(SmartLifecycle.class).values())
				.filteredOn((bean) -> bean.getClass().getPackageName().startsWith("dev.eventing.sdk"))
				.hasSize(2)
				.allSatisfy((bean) -> assertThat(bean.getPhase()).isLessThan(web))
				.hasOnlyElementsOfType(PartsLifecycle.class);
			assertThat(application.getBeansOfType(RunningPart.class).values()).hasSizeGreaterThanOrEqualTo(4)
				// watches until the others have stopped
				.filteredOn((part) -> !(part instanceof StallWatch))
				.as("what stops at the same time")
				.extracting((part) -> part.phase().value())
				.containsOnly(ProjectorRegistry.PHASE);
		}
	}

	private static CompletableFuture<HttpResponse<String>> get(String url) {
		return HttpClient.newHttpClient()
			.sendAsync(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString());
	}

	private static boolean isRefused(int port) {
		try {
			new Socket(InetAddress.getLoopbackAddress(), port).close();
			return false;
		}
		catch (IOException ex) {
			return true;
		}
	}

	private ConfigurableApplicationContext run() {
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.SERVLET)
			.properties("spring.main.banner-mode=off", "server.address=127.0.0.1", "server.port=0",
					"server.shutdown=graceful", "spring.datasource.url=" + this.database,
					"spring.datasource.username=postgres", "spring.jpa.open-in-view=false",
					"spring.flyway.enabled=false", "eventing.nats.servers=" + TestServers.nats().url(),
					"eventing.schema.mode=migrate", "eventing.streams." + this.root + ".subjects=" + this.root + ".>",
					"eventing.relays.all.enabled=true", "root=" + this.root)
			.run();
	}

	record Appended(String name) {
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		SecurityFilterChain everybody(HttpSecurity http) throws Exception {
			return http.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll()).build();
		}

		@Bean
		Requests requests(EventStore store, ProjectorProgress progress, PlatformTransactionManager transactions) {
			return new Requests(store, progress, new TransactionTemplate(transactions));
		}

		@Bean
		Projection projection() {
			return new Projection();
		}

	}

	static class Projection {

		@ProjectorEventHandler(subject = "${root}.{tenant}.Appended", projectorName = "appended")
		void on(Appended event) {
		}

	}

	/** Appends when the test lets it, and answers when that is projected. */
	@RestController
	static class Requests {

		private final CountDownLatch underWay = new CountDownLatch(1);

		private final CountDownLatch goOn = new CountDownLatch(1);

		private final EventStore store;

		private final ProjectorProgress progress;

		private final TransactionTemplate transaction;

		Requests(EventStore store, ProjectorProgress progress, TransactionTemplate transaction) {
			this.store = store;
			this.progress = progress;
			this.transaction = transaction;
		}

		@GetMapping("/append/{name}")
		String append(@PathVariable String name, @Value("${root}") String root) throws InterruptedException {
			this.underWay.countDown();
			assertThat(this.goOn.await(60, TimeUnit.SECONDS)).isTrue();
			AppendResult appended = this.transaction.execute((status) -> this.store.append(TenantId.of("acme"),
					root + "-1", ExpectedVersion.exact(0), NewEvent.of(new Appended(name))));
			return "projected: " + this.progress.awaitPosition("appended", appended.lastPosition(), Patience.LONG);
		}

	}

}
