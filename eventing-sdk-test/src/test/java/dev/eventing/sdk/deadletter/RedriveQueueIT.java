package dev.eventing.sdk.deadletter;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

import dev.eventing.sdk.deadletter.ledger.JdbcDeadLetters;
import dev.eventing.sdk.deadletter.ledger.RedriveQueue;
import dev.eventing.sdk.deadletter.ledger.RedriveTurn;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.fixture.Fixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** Which letters a projector runs next, of which redrives. */
class RedriveQueueIT {

	private static final ProjectorId ORDERS = ProjectorId.of("orders");

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private final LetterBox box = new LetterBox(this.fixture);

	private final DeadLetters letters = new JdbcDeadLetters(this.box.dataSource, LetterBox.SCHEMA, JsonMapper.shared());

	private final RedriveQueue queue = new RedriveQueue(this.box.jdbc, LetterBox.SCHEMA);

	private final UUID first = this.box.failed("orders", "acme", "o-1");

	private final UUID second = this.box.failed("orders", "acme", "o-2");

	private final UUID third = this.box.failed("orders", "acme", null);

	private final UUID another = this.box.failed("invoices", "acme", "o-1");

	@Test
	void hasEachRedriveOfTheProjectorOnce() {
		assertThat(this.queue.redrives(ORDERS)).isEmpty();
		UUID both = redrive(this.first, this.third);
		redrive(this.another);
		UUID one = redrive(this.second);
		assertThat(this.queue.redrives(ORDERS)).containsExactlyInAnyOrder(both, one);
		UUID automatic = this.box.failed("orders", "acme", "o-3");
		this.box.status(automatic, DeadLetterStatus.REDRIVING);
		assertThat(this.queue.redrives(ORDERS)).containsExactlyInAnyOrder(both, one, RedriveTurn.AUTOMATIC);
		this.box.resolve(this.second);
		assertThat(this.queue.redrives(ORDERS)).containsExactlyInAnyOrder(both, RedriveTurn.AUTOMATIC);
	}

	@Test
	void hasTheLettersOfTheRedrivesWhoseTurnItIsInTheOrderOfTheirNumbers() {
		UUID ends = redrive(this.first, this.third);
		UUID middle = redrive(this.second);
		UUID automatic = this.box.failed("orders", "acme", "o-3");
		this.box.status(automatic, DeadLetterStatus.REDRIVING);
		assertThat(next(Set.of(), 10, turn(ends), turn(middle), turn(RedriveTurn.AUTOMATIC)))
			.containsExactly(this.first, this.second, this.third, automatic);
		assertThat(next(Set.of(), 2, turn(ends), turn(middle))).containsExactly(this.first, this.second);
		assertThat(next(Set.of(), 10, turn(ends))).containsExactly(this.first, this.third);
		assertThat(next(Set.of(ends), 10, turn(middle))).containsExactly(this.second);
		assertThat(next(Set.of(), 10, turn(RedriveTurn.AUTOMATIC))).containsExactly(automatic);
		assertThat(next(Set.of(), 10, new RedriveTurn(ends, number(this.first)), turn(middle)))
			.containsExactly(this.second, this.third);
		assertThat(next(Set.of(), 10, new RedriveTurn(RedriveTurn.AUTOMATIC, number(automatic)))).isEmpty();
	}

	@Test
	void hasNoLetterBehindOneWhoseRedriveWaits() {
		UUID waits = redrive(this.first);
		UUID follower = this.box.behind("orders", "acme", "o-1");
		UUID other = redrive(this.second, this.third, follower);
		assertThat(next(Set.of(waits), 10, turn(other))).containsExactly(this.second, this.third);
		assertThat(next(Set.of(), 10, turn(other))).containsExactly(this.second, this.third, follower);
		this.box.resolve(this.first);
		assertThat(next(Set.of(waits), 10, turn(other))).containsExactly(this.second, this.third, follower);
	}

	/**
	 * PostgreSQL keeps the entries of the letters that were run, as long as a snapshot is
	 * open that sees them.
	 */
	@Test
	void readsFewBlocksAfterManyLettersThatWereRunBesideAnOpenSnapshot() throws SQLException {
		UUID redrive = UUID.randomUUID();
		this.box.jdbc.update(
				"""
						insert into eventing.dead_letters (letter_id, projector_name, event_id, subject, headers, payload, stream,
						       stream_sequence, published_at, reason, attempts, first_failed_at, status, redrive_id)
						select gen_random_uuid(), 'orders', gen_random_uuid(), 'orders.placed', '{}', '', 'ORDERS', n, now(),
						       'ATTEMPTS_EXHAUSTED', 1, now(), 'REDRIVING', ?
						  from generate_series(1, 5000) n""",
				redrive);
		this.box.jdbc.execute("analyze eventing.dead_letters");
		long last = this.box.number("select max(letter_number) - 20 from eventing.dead_letters");
		try (Connection snapshot = this.box.dataSource.getConnection()) {
			snapshot.setAutoCommit(false);
			snapshot.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
			snapshot.createStatement().execute("select count(*) from eventing.dead_letters");
			this.box.jdbc.update("""
					update eventing.dead_letters set status = 'RESOLVED', closed_at = now()
					 where redrive_id = ? and letter_number <= ?""", redrive, last);
			long fromTheFirst = blocks(turn(redrive));
			long afterThose = blocks(new RedriveTurn(redrive, last));
			assertThat(fromTheFirst).isGreaterThan(100);
			assertThat(afterThose).isLessThan(fromTheFirst / 3);
		}
	}

	/** How many blocks are read for the next ten letters. */
	private long blocks(RedriveTurn turn) {
		String blocks = """
				select sum(pg_stat_get_xact_blocks_fetched(oid)) from pg_class
				 where relnamespace = 'eventing'::regnamespace""";
		return Objects.requireNonNull(this.fixture.transaction().execute((status) -> {
			long before = this.box.number(blocks);
			assertThat(next(Set.of(), 10, turn)).hasSize(10);
			return this.box.number(blocks) - before;
		}));
	}

	private UUID redrive(UUID... letterIds) {
		return Objects.requireNonNull(
				this.letters.redrive(RedriveRequest.of(DeadLetterFilter.of(letterIds), "anna")).redriveId());
	}

	private static RedriveTurn turn(UUID redrive) {
		return new RedriveTurn(redrive, 0);
	}

	private List<UUID> next(Collection<UUID> waiting, int limit, RedriveTurn... turns) {
		return this.queue.next(ORDERS, List.of(turns), waiting, limit, Long.MAX_VALUE)
			.stream()
			.map((letter) -> letter.letter().letterId())
			.toList();
	}

	private long number(UUID letterId) {
		return this.letters.get(letterId).orElseThrow().number();
	}

}
