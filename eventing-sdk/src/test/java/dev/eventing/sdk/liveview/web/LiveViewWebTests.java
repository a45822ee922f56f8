package dev.eventing.sdk.liveview.web;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.liveview.InvalidLiveViewException;
import dev.eventing.sdk.liveview.LiveFrame;
import dev.eventing.sdk.liveview.LiveState;
import dev.eventing.sdk.liveview.LiveVersion;
import dev.eventing.sdk.liveview.LiveViewStatus;
import dev.eventing.sdk.liveview.LiveViewWebOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class LiveViewWebTests {

	private static final KeyName NAME = new KeyName(TenantId.of("acme"), "stock", "a \"b\"\n.*");

	@Nested
	class Ring {

		private final FrameRing ring = new FrameRing(3);

		@Test
		void findsTheFrameThatBeginsWhereAClientIs() {
			add(1, 2, 3);
			assertThat(after(0)).isEqualTo(1);
			assertThat(after(2)).isEqualTo(3);
			assertThat(after(3)).isNull();
			assertThat(after(9)).isNull();
			assertThat(this.ring.after(new LiveVersion(2, 1))).isNull();
		}

		@Test
		void keepsTheLastFramesOnly() {
			add(1, 2, 3, 4, 5);
			assertThat(after(1)).isNull();
			assertThat(after(2)).isEqualTo(3);
		}

		@Test
		void keepsNoMoreBytesThanItMay() {
			String large = "\"" + "x".repeat(FrameRing.MOST_BYTES / 2) + "\"";
			for (int version = 1; version <= 3; version++) {
				this.ring.add(StreamFrame.delta(NAME, new LiveFrame("delta", version - 1, at(version), false, large)));
			}
			assertThat(after(1)).isNull();
			assertThat(after(2)).isEqualTo(3);
		}

		@Test
		void dropsOlderFramesAndBeginsAgainAfterAGap() {
			add(1, 2, 3, 2, 3);
			assertThat(after(1)).isEqualTo(2);
			add(7);
			assertThat(after(2)).isNull();
			assertThat(after(6)).isEqualTo(7);
		}

		@Test
		void beginsAgainWithAnotherLiveEpoch() {
			add(1, 2);
			this.ring.add(StreamFrame.delta(NAME, new LiveFrame("delta", 1, new LiveVersion(2, 2), false, "{}")));
			assertThat(after(1)).isNull();
			assertThat(this.ring.last()).isEqualTo(new LiveVersion(2, 2));
		}

		private void add(long... versions) {
			for (long version : versions) {
				this.ring.add(StreamFrame.delta(NAME, delta(version)));
			}
		}

		private @Nullable Long after(long version) {
			StreamFrame frame = this.ring.after(at(version));
			return (frame != null) ? frame.version().version() : null;
		}

	}

	@Nested
	class AFollowedKey {

		private final FollowedKey key = new FollowedKey(NAME, 4);

		private final List<FollowedSlot> behind = new ArrayList<>();

		private final FollowedSlot slot = new FollowedSlot(null, this.behind::add);

		@Test
		void givesTheWholeStateFirstThenChanges() {
			assertThat(this.key.next(null)).isNull();
			become(1);
			change(2, 3);
			assertThat(read(this.key.next(null))).startsWith("event: rebuild\ndata: {").contains("\"version\":\"1.3\"");
			assertThat(read(this.key.next(at(1)))).isEqualTo("event: delta\ndata: {\"view\":\"stock\","
					+ "\"key\":\"a \\\"b\\\"\\n.*\",\"from\":\"1.1\",\"version\":\"1.2\",\"patch\":{\"n\": 2}}\n\n");
			assertThat(this.key.next(at(3))).isNull();
		}

		@Test
		void forgetsChangesOfAStateThatWasSetBack() {
			become(0);
			change(1, 2, 3);
			become(1);
			assertThat(read(this.key.next(at(3)))).as("a client with the lost state").startsWith("event: rebuild");
			assertThat(this.key.next(at(1))).as("a client with the present state").isNull();
		}

		@Test
		void givesTheWholeStateToWhomChangesDoNotLead() {
			become(1);
			change(2, 3, 4, 5, 6, 7);
			assertThat(read(this.key.next(at(1)))).startsWith("event: rebuild").contains("1.7");
			assertThat(read(this.key.next(new LiveVersion(9, 7)))).startsWith("event: rebuild");
			assertThat(read(this.key.next(at(8)))).as("a client that is ahead").startsWith("event: rebuild");
			become(9);
			assertThat(read(this.key.next(at(7)))).as("what was read").startsWith("event: rebuild").contains("1.9");
		}

		@Test
		void givesTheWholeStateIfItWasSetBack() {
			become(5);
			become(2);
			assertThat(read(this.key.next(at(5)))).startsWith("event: rebuild").contains("1.2");
		}

		@Test
		void givesDeltasOfAViewItselfBeforeItsStateIsRead() {
			become(1);
			this.key.onFrame(new LiveFrame("moved", 1, at(2), true, "[1,\n2]"));
			assertThat(read(this.key.next(at(1)))).startsWith("event: moved\ndata: {")
				.contains("\"delta\":[1, 2]}\n\n");
			assertThat(this.key.next(at(2))).isNull();
			become(2);
			assertThat(this.key.next(at(2))).isNull();
			assertThat(read(this.key.next(at(1)))).startsWith("event: moved");
		}

		@Test
		void tellsASlotOnceHoweverManyChanges() {
			this.slot.has(this.key);
			this.key.add(this.slot);
			become(1);
			become(2);
			this.key.onStatus(LiveViewStatus.LIVE);
			assertThat(this.behind).containsExactly(this.slot);
			this.slot.taken();
			assertThat(read(this.slot.next())).startsWith("event: rebuild").contains("1.2");
			assertThat(this.slot.position()).isEqualTo(at(2));
			assertThat(read(this.slot.next())).startsWith("event: live-status").contains("\"status\":\"live\"");
			assertThat(this.slot.next()).isNull();
			become(3);
			assertThat(this.behind).hasSize(2);
		}

		private void become(long version) {
			this.key.onState(state(version));
		}

		private void change(long... versions) {
			for (long version : versions) {
				this.key.onFrame(delta(version));
				become(version);
			}
		}

	}

	@Nested
	class Ids {

		@Test
		void haveThePositionOfEachKey() {
			StringBuilder id = new StringBuilder();
			Positions.append(id, at(17));
			assertThat(id).hasToString("1.17");
			Positions.append(id, null);
			Positions.append(id, new LiveVersion(3, 0));
			assertThat(id).hasToString("1.17,-,3.0");
			assertThat(Positions.read(id.toString(), 3)).containsExactly(at(17), null, new LiveVersion(3, 0));
		}

		@Test
		void ofOtherKeysOrUnreadableMeanNothing() {
			assertThat(Positions.read(null, 2)).containsExactly(null, null);
			assertThat(Positions.read("1.1", 2)).containsExactly(null, null);
			assertThat(Positions.read("1.1,x,1.-", 3)).containsExactly(at(1), null, null);
			assertThat(Positions.read("", 1)).hasSize(1).containsOnlyNulls();
		}

	}

	@Nested
	class Queries {

		@Test
		void nameKeysOfSeveralViewsInOrder() {
			LiveQuery query = LiveQuery.read("view=stock&key=b&key=a%26%3D%2B+1&view=orders&key=b&tenant=acme");
			assertThat(query.keys()).containsExactly(new LiveQuery.Key("stock", "b"),
					new LiveQuery.Key("stock", "a&=+ 1"), new LiveQuery.Key("orders", "b"));
			assertThat(query.tenant()).isEqualTo("acme");
			assertThat(query.value(LiveQuery.LAST_EVENT_ID)).isNull();
		}

		@Test
		void areRefusedIfTheyCannotBeMeant() {
			for (String query : List.of("", "view=a", "key=a", "key=a&view=a", "view=&key=a", "view=a&key=",
					"view=a&key=b&key=b", "view=a&key=%zz", "view=a&key=b&keys=c", "view=a&key=b&tenant=x&tenant=y")) {
				assertThatExceptionOfType(RefusedException.class).as(query)
					.isThrownBy(() -> LiveQuery.read(query))
					.withMessageContaining("Consider")
					.satisfies((ex) -> assertThat(ex.status()).isEqualTo(400));
			}
		}

	}

	@Test
	void aNativeImageHasTheModule() {
		RuntimeHints hints = new RuntimeHints();
		new LiveViewWebHints().registerHints(hints, getClass().getClassLoader());
		for (String path : List.of(LiveScript.CLIENT, LiveScript.OVER_NATS)) {
			String file = LiveScript.FOLDER + path;
			assertThat(RuntimeHintsPredicates.resource().forResource(file.substring(1))).accepts(hints);
			assertThat(getClass().getResource(file)).isNotNull();
		}
	}

	@Test
	void optionsOutOfRangeAreRefused() {
		LiveViewWebOptions usual = LiveViewWebOptions.DEFAULTS;
		for (String path : List.of("", "live", "/live/", "/live/**", "/{a}")) {
			assertThatExceptionOfType(InvalidLiveViewException.class).as(path)
				.isThrownBy(() -> new LiveViewWebOptions(path, 1, 1, 1, 1, 1, usual.keepAlive(), usual.maxAge()));
		}
		assertThatExceptionOfType(InvalidLiveViewException.class)
			.isThrownBy(() -> new LiveViewWebOptions("/live", 0, 1, 1, 1, 1, usual.keepAlive(), usual.maxAge()));
		assertThatExceptionOfType(InvalidLiveViewException.class)
			.isThrownBy(() -> new LiveViewWebOptions("/live", 1, 1, 1, 1, 1, Duration.ZERO, usual.maxAge()));
	}

	private static LiveVersion at(long version) {
		return new LiveVersion(1, version);
	}

	private static LiveFrame delta(long version) {
		return new LiveFrame("delta", version - 1, at(version), false, "{\"n\":\n" + version + "}");
	}

	private static LiveState state(long version) {
		JsonMapper mapper = JsonMapper.shared();
		return new LiveState(NAME.key(), at(version), mapper.readTree("{\"n\":" + version + "}"), null, mapper);
	}

	private static String read(@Nullable StreamFrame frame) {
		return new String(Objects.requireNonNull(frame).bytes(), StandardCharsets.UTF_8);
	}

}
