package dev.eventing.benchmark.sdk;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import dev.eventing.benchmark.contender.AccountChange;
import dev.eventing.benchmark.contender.AccountChanged;
import dev.eventing.benchmark.contender.ProjectorRound;
import dev.eventing.benchmark.contender.ReadModel;
import dev.eventing.sdk.projection.InlineProjections;
import dev.eventing.sdk.projection.InlineStatus;
import dev.eventing.sdk.store.NewEvent;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * An application that appends one event in each transaction, which changes the read model
 * too: by an inline projector, or by a statement that the application itself sends after
 * the append. That one has no guard: nothing would notice appends that leave the
 * statement out, and nothing could rebuild the read model meanwhile.
 */
public final class SdkInline implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private static final long LOOK_NANOS = 5_000_000;

	private final AnnotationConfigApplicationContext context;

	private final ProjectorRound round;

	private final boolean byHand;

	private SdkInline(ProjectorRound round, boolean byHand, Consumer<AnnotationConfigApplicationContext> beans) {
		this.round = round;
		this.byHand = byHand;
		this.context = SdkApplication.ready(round, beans);
		this.context.start();
	}

	/** With a projector, which is inline when this returns. */
	public static SdkInline byProjector(ProjectorRound round) throws TimeoutException {
		SdkInline application = new SdkInline(round, false, (context) -> context.registerBean(InlineHandler.class));
		try {
			application.awaitInline();
			return application;
		}
		catch (TimeoutException | RuntimeException ex) {
			application.close();
			throw ex;
		}
	}

	/** Without a projector. */
	public static SdkInline byHand(ProjectorRound round) {
		return new SdkInline(round, true, (context) -> {
			// the application changes the read model
		});
	}

	private void awaitInline() throws TimeoutException {
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		while (!isInline()) {
			if (System.nanoTime() - deadline > 0) {
				throw new TimeoutException(
						"Projector '" + this.round.projector() + "' does not turn inline. Consider a look at its log.");
			}
			LockSupport.parkNanos(LOOK_NANOS);
		}
	}

	/** Whether appends run the handlers. */
	public boolean isInline() {
		return this.context.getBean(InlineProjections.class)
			.find(this.round.projector())
			.filter((status) -> status == InlineStatus.INLINE)
			.isPresent();
	}

	/** Appends, with a thread for each of these shares. */
	public void append(List<List<AccountChange>> shares) throws Exception {
		ExecutorService workers = Executors.newFixedThreadPool(shares.size());
		try {
			List<Future<?>> all = new ArrayList<>();
			shares.forEach((share) -> all.add(workers.submit(() -> appendAll(share))));
			for (Future<?> each : all) {
				each.get();
			}
		}
		finally {
			workers.shutdownNow();
		}
	}

	private void appendAll(List<AccountChange> share) {
		Appender appender = new Appender(this.context);
		JdbcTemplate jdbc = this.context.getBean(JdbcTemplate.class);
		for (AccountChange change : share) {
			List<NewEvent> events = List.of(NewEvent.of(change.payload()).withId(change.id()));
			if (this.byHand) {
				appender.append(change.streamId(), events, () -> update(jdbc, change.payload()));
			}
			else {
				appender.append(change.streamId(), events);
			}
		}
	}

	private static void update(JdbcTemplate jdbc, AccountChanged change) {
		jdbc.update(ReadModel.UPDATE, change.amount(), change.change(), change.account());
	}

	@Override
	public void close() {
		this.context.close();
	}

}
