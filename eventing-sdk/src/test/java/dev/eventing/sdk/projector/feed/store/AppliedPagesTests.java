package dev.eventing.sdk.projector.feed.store;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.event.UnboundPayload;
import dev.eventing.sdk.store.StoredEvent;
import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** Events are passed over only if it is known that all of them were applied. */
class AppliedPagesTests {

	private final Log log = new Log();

	@Test
	void passesOverAPageThatWasApplied() {
		List<Long> passed = new ArrayList<>();
		AppliedPages pages = new AppliedPages(this.log, () -> 0, applied(1, 5), (each) -> passed.add(each.position()));
		assertThat(pages.passOver(3, Long.MAX_VALUE)).isTrue();
		assertThat(passed).containsExactly(1L, 2L, 3L);
		assertThat(this.log.position()).isEqualTo(3);
	}

	@Test
	void goesBackForAPageOfWhichOneEventWasNotApplied() {
		assertThat(passOver(() -> 0, applied(2, 5))).isFalse();
		assertThat(this.log.position()).isZero();
	}

	@Test
	void goesBackForEventsThatAreReadAgain() {
		assertThat(passOver(() -> 1, applied(1, 5))).isFalse();
		assertThat(this.log.position()).isZero();
	}

	/** Else they would never be looked at again. */
	@Test
	void goesBackIfItIsNotKnownWhetherTheyWereApplied() {
		AppliedElsewhere unknown = probably((page) -> {
			throw new IllegalStateException("the database is away");
		});
		assertThatIllegalStateException().isThrownBy(() -> passOver(() -> 0, unknown));
		assertThat(this.log.position()).isZero();
	}

	@Test
	void goesBackIfWhatIsRecordedOfThemCannotBe() {
		AppliedPages pages = new AppliedPages(this.log, () -> 0, applied(1, 5), (each) -> {
			throw new IllegalStateException("the database is away");
		});
		assertThatIllegalStateException().isThrownBy(() -> pages.passOver(3, Long.MAX_VALUE));
		assertThat(this.log.position()).isZero();
	}

	@Test
	void readsNothingWhereAppendsDoNotApplyAll() {
		assertThat(passOver(() -> 0, (page) -> Set.of(1L, 2L, 3L))).isFalse();
		assertThat(this.log.reads).isZero();
	}

	private boolean passOver(LongSupplier settledTo, AppliedElsewhere elsewhere) {
		return new AppliedPages(this.log, settledTo, elsewhere, (passed) -> {
		}).passOver(3, Long.MAX_VALUE);
	}

	private static AppliedElsewhere applied(long from, long to) {
		Set<Long> all = LongStream.rangeClosed(from, to).boxed().collect(Collectors.toSet());
		return probably(
				(page) -> page.stream().map(StoredEvent::position).filter(all::contains).collect(Collectors.toSet()));
	}

	private static AppliedElsewhere probably(AppliedElsewhere elsewhere) {
		return new AppliedElsewhere() {

			@Override
			public Set<Long> among(List<StoredEvent> page) {
				return elsewhere.among(page);
			}

			@Override
			public boolean isProbable() {
				return true;
			}

		};
	}

	/** Has an event at each position. */
	private static final class Log implements LogEnvelopes {

		private long position;

		private int reads;

		@Override
		public long position() {
			return this.position;
		}

		@Override
		public List<StoredEvent> envelopes(int limit, long upTo) {
			this.reads++;
			List<StoredEvent> next = LongStream.rangeClosed(this.position + 1, this.position + limit)
				.mapToObj(Log::event)
				.toList();
			this.position += limit;
			return next;
		}

		private static StoredEvent event(long position) {
			UnboundPayload payload = UnboundPayload.of("{}".getBytes(UTF_8), EventJson.mapper());
			return new StoredEvent(position, Instant.EPOCH,
					Event.builder(TenantId.of("acme"), payload).type("placed").source("/orders").build());
		}

		@Override
		public void backTo(long earlier) {
			this.position = earlier;
		}

	}

}
