package dev.eventing.benchmark.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

import dev.eventing.benchmark.contender.AccountChange;
import dev.eventing.benchmark.contender.AccountChanges;
import dev.eventing.benchmark.contender.ProjectorRound;
import dev.eventing.benchmark.contender.Side;
import dev.eventing.benchmark.measure.Measurement;
import dev.eventing.benchmark.measure.Usage;
import dev.eventing.benchmark.report.Ratios;
import dev.eventing.benchmark.sdk.SdkInline;
import dev.eventing.benchmark.sdk.StoredChanges;

import org.springframework.jdbc.core.JdbcTemplate;

/** Rounds of transactions that append an event and change the read model. */
final class InlineRounds {

	private final Supplier<Bench> bench;

	private int played;

	InlineRounds(Supplier<Bench> bench) {
		this.bench = bench;
	}

	/** An append, and a statement of the application in the same transaction. */
	Entry byHand(int threads) {
		return new Entry(Ratios.APPEND_BY_HAND + threads,
				"by hand: append, then update in the same transaction, " + threads(threads), Side.HANDWRITTEN,
				(events) -> play(Ratios.APPEND_BY_HAND + threads, events, threads, true));
	}

	/** An append, in which an inline projector sends the same statement. */
	Entry byProjector(int threads) {
		return new Entry(Ratios.INLINE_PROJECTOR + threads, "SDK: append, inline projector, " + threads(threads),
				Side.SDK, Ratios.APPEND_BY_HAND + threads,
				(events) -> play(Ratios.INLINE_PROJECTOR + threads, events, threads, false));
	}

	private static String threads(int number) {
		return (number == 1) ? "1 thread" : number + " threads";
	}

	private Measurement play(String id, int events, int threads, boolean byHand) throws Exception {
		Bench bench = this.bench.get();
		this.played++;
		String database = bench.databases().forProjector();
		AccountChanges changes = AccountChanges.of(events);
		List<List<AccountChange>> shares = shares(changes, threads);
		ProjectorRound round = new ProjectorRound(bench.natsUrl(), "", StoredChanges.SUBJECT, database,
				"inline-" + this.played, events, ProjectorRounds.POOL_SIZE);
		try (SdkInline application = byHand ? SdkInline.byHand(round) : SdkInline.byProjector(round)) {
			bench.databases().settle();
			Usage usage = bench.meter().measure(() -> application.append(shares));
			JdbcTemplate jdbc = bench.databases().jdbc(database);
			new ReadModelCheck(changes).check(id, jdbc);
			check(id, jdbc, events);
			if (!byHand && !application.isInline()) {
				throw new WrongResultException("Contender '" + id + "' is not inline any more.");
			}
			return new Measurement(events, usage, null);
		}
	}

	/** A projector that follows the event store leaves the same read model, later. */
	private static void check(String id, JdbcTemplate jdbc, int events) {
		Long stored = jdbc.queryForObject("select count(*) from eventing.events", Long.class);
		Long claimed = jdbc.queryForObject("select count(*) from eventing.processed_events", Long.class);
		Long skipped = jdbc.queryForObject("select count(*) from eventing.projection_skips", Long.class);
		if (!Objects.equals(stored, (long) events) || !Objects.equals(claimed, 0L) || !Objects.equals(skipped, 0L)) {
			throw new WrongResultException("Contender '" + id + "' appends " + stored + " of " + events + " events. "
					+ claimed + " were applied after their appends, and " + skipped + " appends skipped the handler.");
		}
	}

	/**
	 * A share for each thread. Each account is of one thread: who waits for another's
	 * lock says nothing.
	 */
	private static List<List<AccountChange>> shares(AccountChanges changes, int threads) {
		List<List<AccountChange>> shares = new ArrayList<>();
		for (int thread = 0; thread < threads; thread++) {
			shares.add(new ArrayList<>());
		}
		for (AccountChange change : changes) {
			shares.get(Math.floorMod(change.streamId().hashCode(), threads)).add(change);
		}
		return shares;
	}

}
