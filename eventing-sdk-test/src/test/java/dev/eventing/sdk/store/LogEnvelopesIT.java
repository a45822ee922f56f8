package dev.eventing.sdk.store;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static dev.eventing.sdk.store.StoreWorld.ACME;
import static dev.eventing.sdk.store.StoreWorld.GLOBEX;
import static dev.eventing.sdk.store.StoreWorld.SCHEMA;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Reading the log without the contents of events. */
class LogEnvelopesIT {

	@AutoClose
	private final StoreWorld world = StoreWorld.create();

	private final LogReader reader = this.world.log().reader(0);

	@Test
	void hasWhatSaysWhichEventItIsAndNoContents() {
		append("a-1");
		this.world.append(GLOBEX, "b-1", ExpectedVersion.any(), NewEvent.of(new Noted("a text")).withKey("a key"));
		assertThat(this.reader.envelopes(10)).satisfiesExactly((first) -> {
			assertThat(first.position()).isEqualTo(1);
			assertThat(first.event().tenantId()).isEqualTo(ACME);
		}, (second) -> {
			StoredEvent whole = this.world.log().find(2).orElseThrow();
			assertThat(second.recordedAt()).isEqualTo(whole.recordedAt());
			assertThat(second.event().id()).isEqualTo(whole.event().id());
			assertThat(second.event().type()).isEqualTo(whole.event().type());
			assertThat(second.event().streamId()).isEqualTo("b-1");
			assertThat(second.version()).isOne();
			assertThat(second.event().key()).isNull();
			assertThat(new String(second.event().payload().bytes(), UTF_8)).isEqualTo("{}");
		});
		assertThat(this.reader.position()).isEqualTo(2);
		assertThat(this.reader.isAtEnd()).isTrue();
	}

	@Test
	void goesBackAndReadsThemWhole() {
		append("a-1");
		append("a-1");
		append("a-1");
		assertThat(this.reader.envelopes(2)).hasSize(2);
		this.reader.backTo(1);
		assertThat(this.reader.next(10)).extracting(StoredEvent::position).containsExactly(2L, 3L);
		this.reader.backTo(0);
		assertThat(this.reader.next(1)).singleElement()
			.satisfies(
					(first) -> assertThat(first.event().payload().<Noted>bind(Noted.class)).isEqualTo(new Noted("x")));
	}

	@Test
	void stopsAtAHoleThatMayStillFill() {
		append("a-1");
		try (OpenAppend open = OpenAppend.in(this.world)) {
			open.append("b-1");
			append("a-1");
			assertThat(this.reader.envelopes(10)).extracting(StoredEvent::position).containsExactly(1L);
			assertThat(this.reader.isBlocked()).isTrue();
			open.commit();
		}
		assertThat(this.reader.envelopes(10)).extracting(StoredEvent::position).containsExactly(2L, 3L);
	}

	/** Whoever wants its contents meets what is wrong with them. */
	@Test
	void passesARowWhoseContentsCannotBeRead() {
		append("a-1");
		this.world.jdbc().execute("update %s set metadata = '[]'".formatted(SCHEMA.table("events")));
		assertThat(this.reader.envelopes(10)).extracting(StoredEvent::position).containsExactly(1L);
		this.reader.backTo(0);
		assertThatExceptionOfType(UnreadableEventException.class).isThrownBy(() -> this.reader.next(10));
	}

	private void append(String streamId) {
		this.world.append(ACME, streamId, ExpectedVersion.any(), NewEvent.of(new Noted("x")));
	}

	record Noted(String text) {
	}

}
