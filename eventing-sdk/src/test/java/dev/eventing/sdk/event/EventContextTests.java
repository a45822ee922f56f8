package dev.eventing.sdk.event;

import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class EventContextTests {

	private static final EventContext OUTER = new EventContext("conversation", "command", "someone");

	@Test
	void holdsWhileItsScopeIsOpenAndRestoresTheOneBefore() {
		assertThat(EventContext.current()).isEqualTo(EventContext.NONE);
		EventContext inner = new EventContext(null, "other", null);
		String seen = OUTER.call(() -> {
			assertThat(EventContext.current()).isEqualTo(OUTER);
			inner.call(() -> assertThat(EventContext.current()).isEqualTo(inner));
			return EventContext.current().causationId();
		});
		assertThat(seen).isEqualTo("command");
		assertThat(EventContext.current()).isEqualTo(EventContext.NONE);
	}

	@Test
	void isNotSeenByOtherThreads() {
		EventContext seen = OUTER.call(() -> CompletableFuture.supplyAsync(EventContext::current).join());
		assertThat(seen).isEqualTo(EventContext.NONE);
	}

	@Test
	void goesOnWithTheConversationOfACause() {
		Event<String> first = Event.builder(TenantId.of("acme"), "x").type("t").build();
		assertThat(EventContext.causedBy(first))
			.isEqualTo(new EventContext(first.id().toString(), first.id().toString(), null));
		Event<String> second = Event.builder(TenantId.of("acme"), "x").type("t").context(OUTER).build();
		assertThat(second.correlationId()).isEqualTo("conversation");
		assertThat(EventContext.causedBy(second))
			.isEqualTo(new EventContext("conversation", second.id().toString(), "someone"));
		try (EventContext.Scope scope = EventContext.openCausedBy(second)) {
			assertThat(scope).isNotNull();
			assertThat(EventContext.current()).isEqualTo(EventContext.causedBy(second));
		}
		assertThat(EventContext.current()).isEqualTo(EventContext.NONE);
	}

	@Test
	void neverShowsWhoActs() {
		assertThat(OUTER.toString()).contains("conversation").doesNotContain("someone");
	}

}
