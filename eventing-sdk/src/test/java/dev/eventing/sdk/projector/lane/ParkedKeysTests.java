package dev.eventing.sdk.projector.lane;

import java.util.Set;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ParkedKeysTests {

	private final ParkedKeys keys = new ParkedKeys();

	@Test
	void holdNothingAtFirst() {
		assertThat(this.keys.isEmpty()).isTrue();
		assertThat(this.keys.mayHold("acme/a")).isFalse();
	}

	@Test
	void holdAKeyFromTheMomentItIsAddedUntilItIsForgotten() {
		this.keys.add("acme/a");
		this.keys.addAll(Set.of("acme/b", "acme/c"));
		assertThat(this.keys.mayHold("acme/a")).isTrue();
		assertThat(this.keys.mayHold("acme/b")).isTrue();
		this.keys.forget("acme/a");
		assertThat(this.keys.mayHold("acme/a")).isFalse();
		assertThat(this.keys.mayHold("acme/c")).isTrue();
		assertThat(this.keys.isEmpty()).isFalse();
	}

	@Test
	void areNotAskedByAnEventWithoutAKey() {
		this.keys.add("acme/a");
		assertThat(this.keys.mayHold(null)).isFalse();
	}

	@Test
	void tellTheSameKeyOfTwoTenantsApart() {
		this.keys.add("acme/a");
		assertThat(this.keys.mayHold("globex/a")).isFalse();
	}

}
