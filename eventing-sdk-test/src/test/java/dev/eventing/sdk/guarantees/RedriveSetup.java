package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.DeadLetterStatus;
import dev.eventing.sdk.deadletter.DeadLetters;
import dev.eventing.sdk.deadletter.Redrive;
import dev.eventing.sdk.deadletter.RedriveRequest;
import dev.eventing.sdk.projector.ProjectorSettings;
import org.junit.jupiter.api.AutoClose;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** A projector with dead letters that a test redrives. */
abstract class RedriveSetup {

	static final ProjectorSettings ONE_ATTEMPT = ProjectorSettings.builder()
		.maxDeliver(1)
		.batchSize(20)
		.concurrency(3)
		.retryDelay(Duration.ofMillis(50))
		.retryMultiplier(1.0)
		.retryMaxDelay(Duration.ofMillis(50))
		.build();

	static final DeadLetterFilter ALL = DeadLetterFilter.ALL.withProjector(Accounts.PROJECTOR);

	final AtomicBoolean broken = new AtomicBoolean(true);

	final Accounts accounts = accounts();

	@AutoClose
	final World world = World.create();

	Accounts accounts() {
		return new Accounts((event) -> {
			if (event.account().startsWith("bad") && event.version() == 1 && this.broken.get()) {
				throw new Accounts.Refused();
			}
		});
	}

	AnnotationConfigApplicationContext start(ProjectorSettings settings) {
		return this.world.start(WorldApplication.of(this.accounts).with(settings).lease(Duration.ofSeconds(10)));
	}

	static Redrive redrive(AnnotationConfigApplicationContext application, DeadLetterFilter filter) {
		return application.getBean(DeadLetters.class).redrive(RedriveRequest.of(filter, "ops"));
	}

	long letters(DeadLetterStatus status) {
		return this.world.count("select count(*) from eventing.dead_letters where status = '" + status + "'");
	}

	DeadLetter head() {
		return this.world.deadLetters(Accounts.PROJECTOR)
			.stream()
			.min(java.util.Comparator.comparing(DeadLetter::number))
			.orElseThrow();
	}

	void assertConsistent() {
		Letters.assertConsistent(this.world);
	}

}
