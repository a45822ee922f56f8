package dev.eventing.sdk.projector.feed.store;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.jdbc.BoundedDataSource;
import dev.eventing.sdk.projection.BuildOptions;
import dev.eventing.sdk.projection.ledger.Filling;
import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.transaction.GenerationFailedException;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The limits of a generation that is built beside the live one: how fast it reads, and
 * what its tables may take. For the thread of the intake; {@link #describe} is for any.
 */
public final class BuildLimits {

	/** A step of the intake must not take longer. */
	private static final Duration LONGEST_WAIT = Duration.ofMillis(20);

	private static final Duration LONGEST_QUERY = Duration.ofSeconds(2);

	private final BuildPace pace;

	/** Null without separate tables. */
	private final @Nullable BuildSpace space;

	private BuildLimits(BuildPace pace, @Nullable BuildSpace space) {
		this.pace = pace;
		this.space = space;
	}

	/**
	 * Returns the limits of a filling; null if it has none. Sends no query yet.
	 * @param tables the live tables
	 */
	public static @Nullable BuildLimits of(Filling filling, Collection<String> tables, ProjectorServices services) {
		BuildOptions options = filling.limits();
		String schema = filling.schema();
		if (options == null || schema == null) {
			return null;
		}
		JdbcTemplate jdbc = new JdbcTemplate(BoundedDataSource.of(services.dataSource(), LONGEST_QUERY));
		BuildSpace space = new BuildSpace(jdbc, services.schema(), tables, schema, options.maxBytes());
		BuildStrain strain = new BuildStrain(jdbc, services.schema(), filling, space);
		return new BuildLimits(new BuildPace(options.rate(), strain, System::nanoTime), space);
	}

	/**
	 * Returns the limits of what is applied to the live generation: that one may have to
	 * wait for it, so that nothing is gained by waiting for that one. Sends no query yet.
	 * @param rate the most events in a second; null if replicas decide
	 */
	public static BuildLimits ofRate(@Nullable Integer rate, ProjectorServices services) {
		JdbcTemplate jdbc = new JdbcTemplate(BoundedDataSource.of(services.dataSource(), LONGEST_QUERY));
		return new BuildLimits(new BuildPace(rate, BuildStrain.ofReplicas(jdbc), System::nanoTime), null);
	}

	/**
	 * How many events may be read now. Waits a little if none may.
	 * @param wanted the most that are wanted
	 * @param stopping counted down when it must not wait
	 */
	public int await(int wanted, CountDownLatch stopping) throws InterruptedException {
		int granted = this.pace.grant(wanted);
		if (granted == 0) {
			boolean stops = stopping.await(LONGEST_WAIT.toMillis(), TimeUnit.MILLISECONDS);
			granted = stops ? 0 : this.pace.grant(wanted);
		}
		return granted;
	}

	/** Events were read. */
	public void took(int events) {
		this.pace.took(events);
	}

	/** Whether {@link #describe} has something new. */
	boolean takeNews() {
		return this.pace.takeNews();
	}

	/** The throttling, for operators; null at full speed. */
	public @Nullable String describe() {
		return this.pace.describe();
	}

	/**
	 * Looks what the tables take.
	 * @throws GenerationFailedException if that is too much
	 */
	void requireSpace() {
		if (this.space != null) {
			this.space.require();
		}
	}

}
