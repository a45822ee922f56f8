package dev.eventing.sdk.liveview.frame;

import java.time.Duration;

import dev.eventing.sdk.liveview.LiveVersion;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DigestsTests {

	private final Digests digests = new Digests(3);

	private static long at(long millis) {
		return Duration.ofMillis(millis).toNanos();
	}

	private static LiveVersion version(long version) {
		return new LiveVersion(1, version);
	}

	@Test
	void tellTheLastVersionTwiceOnceTheKeyIsQuiet() {
		this.digests.changed("a", version(1), at(0));
		this.digests.changed("a", version(2), at(900));
		assertThat(this.digests.due(at(1500), 10)).isEmpty();
		assertThat(this.digests.due(at(1900), 10)).extracting(Digests.Due::version).containsExactly(version(2));
		assertThat(this.digests.due(at(3800), 10)).isEmpty();
		assertThat(this.digests.due(at(3900), 10)).extracting(Digests.Due::version).containsExactly(version(2));
		assertThat(this.digests.due(at(99_000), 10)).isEmpty();
	}

	@Test
	void haveALimitedRate() {
		this.digests.changed("a", version(1), at(0));
		this.digests.changed("b", version(1), at(1));
		assertThat(this.digests.due(at(2000), 1)).extracting(Digests.Due::subject).containsExactly("a");
		assertThat(this.digests.due(at(2000), 1)).extracting(Digests.Due::subject).containsExactly("b");
	}

	@Test
	void forgetAllIfTheyAreTooMany() {
		for (String key : new String[] { "a", "b", "c" }) {
			assertThat(this.digests.changed(key, version(1), at(0))).isTrue();
		}
		assertThat(this.digests.changed("c", version(2), at(0))).as("known").isTrue();
		assertThat(this.digests.changed("d", version(1), at(0))).isFalse();
		assertThat(this.digests.due(at(9000), 10)).isEmpty();
	}

}
