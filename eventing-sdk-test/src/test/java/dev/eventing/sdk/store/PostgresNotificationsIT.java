package dev.eventing.sdk.store;

import java.time.Duration;

import dev.eventing.sdk.event.EventSubjects;
import dev.eventing.sdk.test.server.PostgresServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static dev.eventing.sdk.store.StoreWorld.ACME;
import static dev.eventing.sdk.store.StoreWorld.SCHEMA;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class PostgresNotificationsIT {

	private final AppendSignal signal = new AppendSignal();

	private PostgresServer server;

	private StoreWorld world;

	private PostgresNotifications notifications;

	@BeforeEach
	void listen() {
		this.server = PostgresServer.start();
		this.world = StoreWorld.on(this.server.createDatabase(), new StoreOptions("test", EventSubjects.DEFAULT, true));
		this.notifications = new PostgresNotifications(this.world.dataSource(), SCHEMA, this.signal);
		this.notifications.start();
		await().until(() -> this.signal.count() == 1);
	}

	@AfterEach
	void close() {
		this.notifications.close();
		this.world.close();
		this.server.close();
	}

	@Test
	void tellsOfAppendsOfOtherProcesses() throws Exception {
		append();
		assertThat(this.signal.await(1, Duration.ofSeconds(30))).isTrue();
	}

	@Test
	void listensAgainAfterAnOutage() {
		this.server.kill();
		this.server.restart();
		await().atMost(Duration.ofSeconds(30)).until(() -> this.signal.count() >= 2);
		long seen = this.signal.count();
		await().atMost(Duration.ofSeconds(30)).ignoreExceptions().until(() -> {
			append();
			return true;
		});
		await().atMost(Duration.ofSeconds(30)).until(() -> this.signal.count() > seen);
	}

	@Test
	void givesItsConnectionBackWithoutListeningAnyMore() {
		this.notifications.close();
		this.notifications.close();
		assertThat(this.world.jdbc().queryForList("select pg_listening_channels()", String.class)).isEmpty();
		assertThat(this.world.count("select 1")).isEqualTo(1);
	}

	private void append() {
		this.world.append(ACME, "a-1", ExpectedVersion.any(), NewEvent.of(new Noted("n")));
	}

	record Noted(String text) {
	}

}
