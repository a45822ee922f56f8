package dev.eventing.sdk.guarantees;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import dev.eventing.sdk.projection.ledger.LaneMoves;
import dev.eventing.sdk.projector.feed.store.CheckpointMoves;
import dev.eventing.sdk.relay.RelayMoves;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * G9: a transaction that stays open for long, such as that of a backup, slows neither
 * projectors, builds nor relays down. PostgreSQL keeps each former row of their positions
 * for it. A statement's reads are counted in blocks, which do not depend on how busy the
 * machine is.
 */
class G9LongSnapshotIT {

	private static final int MOVES = 20_000;

	/** Runs after which a prepared statement keeps its plan. */
	private static final int FEW = 20;

	private static final long MOST_BLOCKS = 40;

	private static final String SNAPSHOT = """
			set transaction isolation level repeatable read;
			select count(*) from eventing.events""";

	@AutoClose
	private final World world = World.create();

	@AutoClose
	private final SingleConnectionDataSource connection = new SingleConnectionDataSource(this.world.jdbcUrl(), true);

	private final JdbcTemplate jdbc = new JdbcTemplate(this.connection);

	private final TransactionTemplate transaction = new TransactionTemplate(
			new JdbcTransactionManager(this.connection));

	@Test
	void aProjectorMovesItsCheckpointAsEasilyAfterManyMovesAsAfterFew() {
		CheckpointMoves moves = new CheckpointMoves(this.jdbc);
		inTransaction(moves::begin);
		assertThatBlocksStayFew(new Step("read", moves::read), new Step("hand out", moves::handOut),
				new Step("move", moves::move));
		assertThat(moves.read()).isEqualTo(MOVES + 3 * FEW);
	}

	@Test
	void aRelaySavesItsPositionAsEasilyAfterManySavesAsAfterFew() {
		RelayMoves moves = new RelayMoves(this.jdbc);
		inTransaction(moves::begin);
		assertThatBlocksStayFew(new Step("read", moves::read), new Step("save", moves::save));
		assertThat(moves.read()).isEqualTo(MOVES + 3 * FEW);
	}

	@Test
	void aLaneThatFillsAGenerationMovesAsEasilyAfterManyMovesAsAfterFew() {
		LaneMoves moves = new LaneMoves(this.jdbc);
		inTransaction(moves::begin);
		assertThatBlocksStayFew(new Step("read", moves::read), new Step("look", moves::look),
				new Step("move", moves::move));
		assertThat(moves.highest()).isEqualTo(MOVES + 3 * FEW);
	}

	private void assertThatBlocksStayFew(Step read, Step... changes) {
		run(FEW, read);
		run(FEW, changes);
		// PostgreSQL knows from now on how small the tables are, and plans for that.
		this.world.jdbc().execute("vacuum analyze");
		run(FEW, read);
		run(FEW, changes);
		this.world.whileHolding(SNAPSHOT, () -> {
			run(MOVES, changes);
			Map<String, Long> blocks = new LinkedHashMap<>();
			for (int time = 0; time < FEW; time++) {
				Stream.concat(Stream.of(changes), Stream.of(read))
					.forEach((step) -> blocks.merge(step.name(), inTransaction(step.action()), Math::max));
			}
			System.out.printf("most blocks of a step after %d moves under an open snapshot: %s%n", MOVES, blocks);
			assertThat(blocks.values()).allMatch((most) -> most > 0 && most <= MOST_BLOCKS);
		});
	}

	/** Runs all of them in a transaction, this many times. */
	private void run(int times, Step... steps) {
		for (int time = 0; time < times; time++) {
			this.transaction.executeWithoutResult((status) -> Stream.of(steps).forEach((step) -> step.action().run()));
		}
	}

	/**
	 * Runs the action in a transaction, and returns how many blocks it read of the tables
	 * of the SDK and their indexes.
	 */
	private long inTransaction(Runnable action) {
		return Objects.requireNonNull(this.transaction.execute((status) -> {
			long before = blocks();
			action.run();
			return blocks() - before;
		}));
	}

	private long blocks() {
		return Objects.requireNonNull(this.jdbc.queryForObject("""
				select sum(pg_stat_get_xact_blocks_fetched(oid)) from pg_class
				 where relnamespace = 'eventing'::regnamespace""", Long.class));
	}

	private record Step(String name, Runnable action) {
	}

}
