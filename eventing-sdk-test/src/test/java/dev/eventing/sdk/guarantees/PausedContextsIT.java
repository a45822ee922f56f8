package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.Objects;

import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.relay.RelayOptions;
import dev.eventing.sdk.relay.RelayState;
import dev.eventing.sdk.test.timing.Steady;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.cache.ContextCache;
import org.springframework.test.context.cache.ContextCache.PauseMode;
import org.springframework.test.context.cache.DefaultContextCache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Spring's cache of test contexts pauses a context while no test class uses it, and
 * restarts it for the next one.
 */
@ExtendWith(OutputCaptureExtension.class)
class PausedContextsIT {

	private final ContextCache cache = new DefaultContextCache(4, PauseMode.ALWAYS);

	@AutoClose
	private final World world = World.create();

	@AfterEach
	void close() {
		this.cache.clear();
	}

	@Test
	void pullNothingAndGoOnWhereTheyWere(CapturedOutput output) {
		RelayWorld relays = new RelayWorld(this.world);
		AnnotationConfigApplicationContext context = use(First.class, application(relays));
		relays.append(World.ACME, "a", 3);
		await().until(() -> this.world.version(World.ACME, "a") == 3);
		leave(First.class);
		assertThat(context.isActive()).isTrue();
		assertThat(context.getBean(ProjectorRegistry.class).isRunning()).isFalse();
		assertThat(World.status(context, Accounts.PROJECTOR).state()).isEqualTo(ProjectorState.STOPPED);
		await().untilAsserted(() -> assertThat(openRequests()).isZero());
		relays.append(World.ACME, "a", 3);
		this.world.publish(World.ACME, "b", 1, 3);
		Steady.holds(Duration.ofSeconds(1),
				() -> this.world.version(World.ACME, "a") == 3 && this.world.version(World.ACME, "b") == 0);
		assertThat(use(First.class, application(relays))).isSameAs(context);
		await().until(() -> this.world.version(World.ACME, "a") == 6 && this.world.version(World.ACME, "b") == 3);
		await().untilAsserted(
				() -> assertThat(World.status(context, Accounts.PROJECTOR).state()).isEqualTo(ProjectorState.RUNNING));
		await().until(() -> RelayWorld.status(context).state() == RelayState.RUNNING);
		new Outage(this.world, context).leavesNoTrace();
		assertThat(output.getOut().lines())
			.noneMatch((line) -> line.contains("ERROR") && line.contains("dev.eventing"));
	}

	/** Two test classes whose contexts differ have the same projector on one database. */
	@Test
	void leaveTheirProjectorToTheContextOfTheNextTestClassAndTakeItBack() {
		for (long round = 0; round < 3; round++) {
			long version = 2 * round + 1;
			AnnotationConfigApplicationContext first = use(First.class, WorldApplication.of(new Accounts()));
			this.world.publish(World.ACME, "a", version, version);
			await().until(() -> this.world.version(World.ACME, "a") == version);
			leave(First.class);
			AnnotationConfigApplicationContext second = use(Second.class, WorldApplication.of(new Accounts()));
			this.world.publish(World.ACME, "a", version + 1, version + 1);
			await().until(() -> this.world.version(World.ACME, "a") == version + 1);
			assertThat(World.status(first, Accounts.PROJECTOR).state()).isEqualTo(ProjectorState.STOPPED);
			new Outage(this.world, second).leavesNoTrace();
			leave(Second.class);
		}
	}

	/** A stop by name is not stored anywhere. */
	@Test
	void startAgainAProjectorThatWasStoppedByName() {
		AnnotationConfigApplicationContext context = use(First.class, WorldApplication.of(new Accounts()));
		context.getBean(ProjectorRegistry.class).stop(Accounts.PROJECTOR);
		assertThat(World.status(context, Accounts.PROJECTOR).state()).isEqualTo(ProjectorState.STOPPED);
		leave(First.class);
		assertThat(use(First.class, WorldApplication.of(new Accounts()))).isSameAs(context);
		await().untilAsserted(
				() -> assertThat(World.status(context, Accounts.PROJECTOR).state()).isEqualTo(ProjectorState.RUNNING));
	}

	private static WorldApplication application(RelayWorld relays) {
		return WorldApplication.of(new Accounts())
			.customize((context) -> context.registerBean(RelayOptions.class, relays::options));
	}

	/** As the test framework does before the first test of a class. */
	private AnnotationConfigApplicationContext use(Class<?> testClass, WorldApplication application) {
		MergedContextConfiguration key = key(testClass);
		this.cache.registerContextUsage(key, testClass);
		if (this.cache.get(key) == null) {
			this.cache.put(key, (wanted) -> this.world.start(application));
		}
		AnnotationConfigApplicationContext context = (AnnotationConfigApplicationContext) Objects
			.requireNonNull(this.cache.get(key));
		assertThat(context.isRunning()).isTrue();
		return context;
	}

	/** As it does after the last one. */
	private void leave(Class<?> testClass) {
		this.cache.unregisterContextUsage(key(testClass), testClass);
	}

	private static MergedContextConfiguration key(Class<?> testClass) {
		return new MergedContextConfiguration(testClass, null, new Class<?>[] { testClass }, null, null);
	}

	private long openRequests() {
		return this.world
			.jetStream(
					(management) -> management.getConsumerInfo(this.world.stream(), Accounts.PROJECTOR + "-consumer"))
			.getNumWaiting();
	}

	/** Stands for a test class. */
	private static final class First {

	}

	/** Stands for another one. */
	private static final class Second {

	}

}
