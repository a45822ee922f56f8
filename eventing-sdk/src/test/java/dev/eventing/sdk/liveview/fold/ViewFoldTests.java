package dev.eventing.sdk.liveview.fold;

import java.time.Instant;
import java.util.List;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.liveview.LiveStateFormException;
import dev.eventing.sdk.liveview.LiveViewDefinition;
import dev.eventing.sdk.liveview.ledger.LiveStates.Address;
import dev.eventing.sdk.liveview.ledger.LiveStates.Stored;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What becomes of a stored state. */
class ViewFoldTests {

	private static final Address KEY = new Address(TenantId.of("acme"), "a");

	private final ViewFold<Sum> fold = new ViewFold<>(LiveViewDefinition.of("sums", Sum.class, () -> new Sum(0))
		.subject("sums.>")
		.on(Added.class, (event) -> "a", (state, event) -> new Sum(state.total() + event.amount()))
		.build(), EventJson.mapper(), 1000);

	private final List<Event<?>> one = List.of(Event.builder(KEY.tenant(), new Added(2)).build());

	@Test
	void isFoldedFurther() {
		assertThat(this.fold.fold(KEY, stored("{\"total\": 5}"), this.one, null).changed().json())
			.isEqualTo("{\"total\":7}");
	}

	/** The message of Jackson would quote it. */
	@Test
	void isNamedAndNotQuotedIfItDoesNotFitTheClass() {
		assertThatExceptionOfType(LiveStateFormException.class)
			.isThrownBy(() -> this.fold.fold(KEY, stored("{\"total\": \"secret\"}"), this.one, null))
			.withMessageContaining("The state of key 'a' of tenant 'acme' in live view 'sums' cannot be bound to")
			.withMessageContaining("Sum (InvalidFormatException)")
			.withMessageNotContaining("secret")
			.withNoCause();
	}

	private static Stored stored(String json) {
		return new Stored(3, json, Instant.EPOCH);
	}

	record Sum(long total) {
	}

	record Added(long amount) {
	}

}
