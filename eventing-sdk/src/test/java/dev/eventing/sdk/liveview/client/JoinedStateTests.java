package dev.eventing.sdk.liveview.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;

import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.liveview.LiveFrame;
import dev.eventing.sdk.liveview.LiveState;
import dev.eventing.sdk.liveview.LiveVersion;
import dev.eventing.sdk.liveview.client.JoinedState.Outcome;
import dev.eventing.sdk.liveview.frame.FrameForm;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

class JoinedStateTests {

	private static final JsonMapper MAPPER = EventJson.mapper();

	private final JoinedState joined = new JoinedState("k", MAPPER);

	private static LiveState stored(long epoch, long version) {
		return new LiveState("k", new LiveVersion(epoch, version),
				(version > 0) ? MAPPER.readTree("{\"n\":" + version + "}") : null, null, MAPPER);
	}

	private static LiveFrame delta(long epoch, long from, long version) {
		return new LiveFrame("delta", from, new LiveVersion(epoch, version), false, "{\"n\":" + version + "}");
	}

	private static LiveFrame digest(long epoch, long version) {
		return new LiveFrame(FrameForm.DIGEST, version, new LiveVersion(epoch, version), false, null);
	}

	private void known(long epoch, long version) {
		this.joined.reading();
		this.joined.read(stored(epoch, version));
	}

	@Test
	void joinsWhatFollows() {
		known(1, 0);
		assertThat(this.joined.frame(delta(1, 0, 1))).isEqualTo(Outcome.JOINED);
		assertThat(this.joined.frame(delta(1, 1, 4))).isEqualTo(Outcome.JOINED);
		assertThat(this.joined.state()).isEqualTo(stored(1, 4));
	}

	@Test
	void dropsWhatIsOld() {
		known(2, 5);
		assertThat(this.joined.frame(delta(2, 4, 5))).isEqualTo(Outcome.NOTHING);
		assertThat(this.joined.frame(delta(2, 0, 3))).isEqualTo(Outcome.NOTHING);
		assertThat(this.joined.frame(delta(1, 5, 6))).as("of a frozen owner").isEqualTo(Outcome.NOTHING);
		assertThat(this.joined.state()).isEqualTo(stored(2, 5));
	}

	@Test
	void readsWhatDoesNotJoin() {
		known(2, 5);
		assertThat(this.joined.frame(delta(2, 6, 7))).as("a gap").isEqualTo(Outcome.READ);
		assertThat(this.joined.frame(delta(2, 3, 7))).as("an overlap").isEqualTo(Outcome.READ);
		assertThat(this.joined.frame(delta(3, 5, 6))).as("another epoch").isEqualTo(Outcome.READ);
		assertThat(this.joined.frame(new LiveFrame("delta", 5, new LiveVersion(2, 6), true, "{}")))
			.as("a delta of the view's own")
			.isEqualTo(Outcome.READ);
		assertThat(this.joined.frame(new LiveFrame(LiveFrame.REBUILD, 5, new LiveVersion(2, 6), false, null)))
			.as("a frame without a state")
			.isEqualTo(Outcome.READ);
		assertThat(this.joined.frame(new LiveFrame("delta", 5, new LiveVersion(2, 6), false, "{"))).as("no JSON")
			.isEqualTo(Outcome.READ);
		assertThat(this.joined.state()).isEqualTo(stored(2, 5));
	}

	@Test
	void readsIfADigestDiffersInEitherDirection() {
		known(2, 5);
		assertThat(this.joined.frame(digest(2, 5))).isEqualTo(Outcome.NOTHING);
		assertThat(this.joined.frame(digest(2, 6))).isEqualTo(Outcome.READ);
		assertThat(this.joined.frame(digest(2, 4))).isEqualTo(Outcome.READ);
		assertThat(this.joined.frame(digest(1, 5))).isEqualTo(Outcome.READ);
	}

	@Test
	void takesAWholeStateFromAnyVersionBefore() {
		known(2, 5);
		LiveFrame rebuild = new LiveFrame(LiveFrame.REBUILD, 8, new LiveVersion(2, 9), false, "{\"n\":9}");
		assertThat(this.joined.frame(rebuild)).isEqualTo(Outcome.JOINED);
		assertThat(this.joined.state()).isEqualTo(stored(2, 9));
	}

	@Test
	void joinsWhatCameWhileTheStateWasRead() {
		assertThat(this.joined.frame(delta(1, 4, 5))).as("before the first read").isEqualTo(Outcome.READ);
		this.joined.reading();
		assertThat(this.joined.frame(delta(1, 5, 6))).isEqualTo(Outcome.NOTHING);
		assertThat(this.joined.read(stored(1, 5))).containsExactly(delta(1, 5, 6));
		assertThat(this.joined.takeAgain()).isFalse();
		assertThat(this.joined.state()).isEqualTo(stored(1, 6));
		this.joined.reading();
		this.joined.frame(delta(1, 8, 9));
		assertThat(this.joined.notRead()).isEmpty();
		assertThat(this.joined.takeAgain()).as("a gap").isTrue();
	}

	@Test
	void isSetBackByARead() {
		known(2, 5);
		known(2, 3);
		assertThat(this.joined.state()).isEqualTo(stored(2, 3));
	}

	/** Dropped, doubled and reordered: a digest and a read make good for all of it. */
	@Test
	void convergesWhateverHappensToFrames() {
		for (int seed = 0; seed < 1000; seed++) {
			Random random = new Random(seed);
			JoinedState subscriber = new JoinedState("k", MAPPER);
			subscriber.reading();
			subscriber.read(stored(1, 0));
			long version = 0;
			List<LiveFrame> way = new ArrayList<>();
			for (int step = 0; step < 100; step++) {
				long next = version + 1 + random.nextInt(3);
				way.add(delta(1, version, next));
				version = next;
				if (random.nextInt(4) == 0) {
					way.add(way.get(random.nextInt(way.size())));
				}
				while (!way.isEmpty() && random.nextBoolean()) {
					LiveFrame frame = way.remove(random.nextInt(way.size()));
					if (random.nextInt(5) > 0) {
						deliver(subscriber, frame, version);
					}
				}
			}
			deliver(subscriber, digest(1, version), version);
			assertThat(subscriber.state()).as("seed " + seed).isEqualTo(stored(1, version));
		}
	}

	private static void deliver(JoinedState subscriber, LiveFrame frame, long version) {
		LiveState before = subscriber.state();
		if (subscriber.frame(frame) == Outcome.READ) {
			subscriber.reading();
			subscriber.read(stored(1, version));
		}
		LiveState after = Objects.requireNonNull(subscriber.state());
		assertThat(after.version().version())
			.isGreaterThanOrEqualTo(Objects.requireNonNull(before).version().version());
	}

}
