package dev.eventing.benchmark.peers.micronaut;

import java.util.concurrent.CountDownLatch;

import jakarta.inject.Singleton;

/** Holds consumers until the time runs; Micronaut starts them with the application. */
@Singleton
class StartSignal {

	private final CountDownLatch given = new CountDownLatch(1);

	void give() {
		this.given.countDown();
	}

	void await() throws InterruptedException {
		this.given.await();
	}

}
