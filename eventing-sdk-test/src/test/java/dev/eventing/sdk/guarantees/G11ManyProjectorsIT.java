package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import dev.eventing.sdk.projector.Source;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.description.annotation.AnnotationDescription;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** G11: many projectors of a node are built beside, switched and retired at one time. */
@Tag("bulk")
class G11ManyProjectorsIT {

	private static final Duration PATIENCE = Duration.ofMinutes(2);

	private static final int PROJECTORS = 50;

	private static final int CONNECTIONS = 20;

	@AutoClose
	private final World world = World.create();

	@Test
	void switchesAllOfThemAtOneTime() {
		for (int projector = 0; projector < PROJECTORS; projector++) {
			this.world.jdbc().execute("create table many_%d (position serial, version bigint)".formatted(projector));
		}
		this.world.append(World.ACME, "a", 1, 10);
		WorldApplication all = WorldApplication
			.of(IntStream.range(0, PROJECTORS).mapToObj(G11ManyProjectorsIT::projector).toArray())
			.lease(Duration.ofSeconds(10))
			.connectionTimeout(PATIENCE)
			.customize(WorldApplication.pool((pool) -> pool.setMaximumPoolSize(CONNECTIONS)));
		List<Generations> generations = IntStream.range(0, PROJECTORS)
			.mapToObj((projector) -> new Generations(this.world, "many-" + projector))
			.toList();
		try (AnnotationConfigApplicationContext application = this.world.start(all)) {
			awaitEvents("public", 10);
			generations.forEach(Generations::requestBuild);
			await().atMost(PATIENCE)
				.until(() -> generations.stream()
					.allMatch((each) -> each.beside()
						.filter((beside) -> beside.status() == ProjectionGeneration.Status.READY)
						.isPresent()));
			generations.forEach((each) -> each.requestSwitch(2));
			this.world.append(World.ACME, "a", 11, 20);
			generations.forEach(Generations::awaitEnd);
			generations.forEach((each) -> {
				if (each.status() != Status.DONE) {
					System.out.println("again, because: " + each.detail());
					each.switchTo(2);
				}
			});
			awaitEvents("public", 20);
			generations.forEach((each) -> each.retire(1));
			generations.get(0).assertThatNothingIsLeft();
			assertThat(this.world.count("select count(*) from eventing.processed_events")).isEqualTo(20L * PROJECTORS);
		}
	}

	/** Each has applied each event once, in its order. */
	private void awaitEvents(String schema, long events) {
		for (int projector = 0; projector < PROJECTORS; projector++) {
			String table = schema + ".many_" + projector;
			await().atMost(PATIENCE)
				.until(() -> this.world.count("select count(*) from " + table + " where position = version") == events);
			assertThat(this.world.count("select count(*) from " + table)).isEqualTo(events);
		}
	}

	/** A projector with its own class. */
	private static Object projector(int number) {
		try {
			return new ByteBuddy().subclass(Row.class)
				.name(Row.class.getPackageName() + ".ManyRows" + number)
				.annotateType(AnnotationDescription.Builder.ofType(Projector.class)
					.define("value", "many-" + number)
					.defineArray("tables", "many_" + number)
					.build())
				.make()
				.load(Row.class.getClassLoader())
				.getLoaded()
				.getDeclaredConstructor()
				.newInstance();
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Adds a row for each event. */
	public static class Row {

		@Autowired
		JdbcTemplate jdbc;

		public Row() {
			// for the classes of the projectors
		}

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE, concurrency = 1)
		public void on(Deposited event) {
			this.jdbc.update("insert into %s (version) values (?)"
				.formatted(getClass().getAnnotation(Projector.class).tables()[0]), event.version());
		}

	}

}
