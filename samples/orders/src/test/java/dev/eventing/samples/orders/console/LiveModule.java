package dev.eventing.samples.orders.console;

import java.io.IOException;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** A page with the module of live views, in a browser, and a server that is scripted. */
abstract class LiveModule {

	static LiveServer server;

	static Browser browser;

	@BeforeAll
	static void start() throws IOException {
		server = LiveServer.start();
		browser = Browser.start();
	}

	@AfterAll
	static void stop() {
		browser.close();
		server.close();
	}

	@BeforeEach
	void open() {
		browser.open(server.page());
		browser.await("body[data-ready]");
		server.clear();
	}

}
