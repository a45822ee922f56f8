package dev.eventing.sdk.store;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import dev.eventing.sdk.WrongTransactionException;
import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.event.InvalidEventException;
import dev.eventing.sdk.event.PayloadWritingException;
import dev.eventing.sdk.event.UnboundPayload;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import static dev.eventing.sdk.store.StoreWorld.ACME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

class RefusedAppendsIT extends StoreSetup {

	@Nested
	class Refusing {

		@ParameterizedTest
		@ValueSource(strings = { "{\"a\": \"\\u0000\"}", "{\"\\u0000\": 1}", "{\"a\": \"\\ud800\"}", "\"\\udc00x\"",
				"{\"a\": 1e990}", "{\"a\": 1e-990}", "{\"a\": 1e99999999999}", "{\"a\": 1} {}", "", " ", "null", "{",
				"{'a': 1}", "{\"a\": NaN}", "[1,]" })
		void jsonThatTheDatabaseWouldRefuse(String json) {
			RefusedAppendsIT.this.world.transaction().executeWithoutResult((status) -> {
				assertThatExceptionOfType(PayloadWritingException.class)
					.isThrownBy(
							() -> RefusedAppendsIT.this.store.append(ACME, "order-1", ExpectedVersion.any(), raw(json)))
					.withMessageContaining("Consider")
					.withNoCause();
				RefusedAppendsIT.this.store.append(ACME, "order-1", ExpectedVersion.any(), placed(1));
			});
			assertThat(versions("order-1")).containsExactly(1L);
		}

		@ParameterizedTest
		@ValueSource(strings = { "{\"a\": \"\\ud83d\\ude00\"}", "{\"a\": 1e980}", "{\"a\": 1e-980}", "[]", "1",
				"\"text\"", "{\"a\": \"\\\\u0000\"}", "true", "{\"a\": 1.7976931348623157E308}" })
		void nothingThatTheDatabaseTakes(String json) {
			append(ExpectedVersion.any(), raw(json));
			StoredEvent stored = RefusedAppendsIT.this.store.readStream(ACME, "order-1").findFirst().orElseThrow();
			assertThat(stored.event().payload().<JsonNode>bind(JsonNode.class)).isNotNull();
		}

		@Test
		void smallJsonThatTheDatabasePrintsLargerThanAnybodyReads() {
			String numbers = "1e900,".repeat(20_000) + "1";
			assertThatExceptionOfType(PayloadWritingException.class)
				.isThrownBy(() -> append(ExpectedVersion.any(), raw("{\"a\": [" + numbers + "]}")))
				.withMessageContaining("where PostgreSQL prints it")
				.withMessageContaining("Consider at most 16777216");
			assertThat(RefusedAppendsIT.this.world.log().drawn()).isZero();
		}

		@Test
		void nothingThatIsPrintedInFewerBytes() {
			String json = "{\"a\":[" + "1e900,".repeat(100)
					+ "-1.5e-30,1.50,true,null,\"\\u0001\\n\\\"\\\\äö€\uD83D\uDE00\"],\"b\":{}}";
			append(ExpectedVersion.any(), raw(json));
			long printed = RefusedAppendsIT.this.world
				.count("select text_bytes - octet_length(metadata::text) from eventing.events");
			assertThat(printed).isEqualTo(
					RefusedAppendsIT.this.world.count("select octet_length(payload::text) from eventing.events"));
			assertThat(StorableJson.printedLength(json)).isBetween(printed, printed + printed / 100 + 100);
		}

		@Test
		void headersThatNobodyReads() {
			assertThatExceptionOfType(InvalidEventException.class)
				.isThrownBy(() -> append(ExpectedVersion.any(), placed(1).withHeader("a", "x".repeat(1 << 20))))
				.withMessageContaining("1048577 characters");
		}

		@Test
		void noTimeWithinTheLastMicrosecondOfTheYear9999() {
			append(ExpectedVersion.any(), placed(1).withOccurredAt(Instant.parse("9999-12-31T23:59:59.999999999Z")));
			assertThat(RefusedAppendsIT.this.store.readStream(ACME, "order-1").findFirst().orElseThrow().event().time())
				.isEqualTo("9999-12-31T23:59:59.999999Z");
		}

		@Test
		void bytesThatAreNoUtf8() {
			UnboundPayload latin = UnboundPayload.of(new byte[] { '"', (byte) 0xE4, '"' }, EventJson.mapper());
			assertThatExceptionOfType(PayloadWritingException.class)
				.isThrownBy(() -> append(ExpectedVersion.any(), placed(1),
						new NewEvent(UUID.randomUUID(), "t", latin, null, null, null, null, placed(1).headers())));
		}

		@Test
		void attributesThatAreNotValid() {
			List<NewEvent> invalid = List.of(placed(1).withType(" "), placed(1).withType("x".repeat(513)),
					placed(1).withKey("\u0000"), placed(1).withHeader("a b", "c"), placed(1).withHeader("a", "ä"),
					placed(1).withOccurredAt(Instant.MAX), placed(1).withOccurredAt(Instant.MIN));
			for (NewEvent event : invalid) {
				assertThatExceptionOfType(InvalidEventException.class)
					.isThrownBy(() -> append(ExpectedVersion.any(), event));
			}
			assertThat(RefusedAppendsIT.this.world.log().drawn()).isZero();
		}

		@ParameterizedTest
		@ValueSource(strings = { "", " ", "\u0000" })
		void streamIdsThatAreNotValid(String streamId) {
			assertThatExceptionOfType(InvalidEventException.class)
				.isThrownBy(() -> RefusedAppendsIT.this.world.append(ACME, streamId, ExpectedVersion.any(), placed(1)));
		}

		@Test
		void streamIdsThatAreTooLong() {
			RefusedAppendsIT.this.world.append(ACME, "x".repeat(512), ExpectedVersion.any(), placed(1));
			streamIdsThatAreNotValid("x".repeat(513));
		}

		@Test
		void anAppendOfNothing() {
			assertThatExceptionOfType(InvalidEventException.class).isThrownBy(() -> append(ExpectedVersion.any()));
		}

		@Test
		void anIdThatTheTenantHas() {
			NewEvent event = placed(1);
			append(ExpectedVersion.any(), event);
			assertThatExceptionOfType(DuplicateEventIdException.class)
				.isThrownBy(() -> RefusedAppendsIT.this.world.append(ACME, "order-2", ExpectedVersion.any(), event));
			NewEvent twice = placed(2);
			assertThatExceptionOfType(DuplicateEventIdException.class)
				.isThrownBy(() -> append(ExpectedVersion.any(), twice, twice));
			assertThat(versions("order-1")).containsExactly(1L);
			assertThat(versions("order-2")).isEmpty();
		}

		/** Readers are past it: an event there would be left out. */
		@Test
		void aFreePositionBetweenEventsFromASequenceThatBeganAgain() {
			append(ExpectedVersion.any(), placed(1));
			RefusedAppendsIT.this.world.transaction().executeWithoutResult((status) -> {
				RefusedAppendsIT.this.store.append(ACME, "order-1", ExpectedVersion.any(), List.of(placed(2)));
				status.setRollbackOnly();
			});
			append(ExpectedVersion.any(), placed(3), placed(4), placed(5));
			setDrawn(1);
			assertThatExceptionOfType(UnsafePositionsException.class)
				.isThrownBy(() -> append(ExpectedVersion.any(), placed(6)))
				.withMessageContaining("go up to 5, but its sequence has drawn up to 2 only");
			setDrawn(5);
			assertThat(append(ExpectedVersion.any(), placed(6)).firstPosition()).isEqualTo(6);
			assertThat(versions("order-1")).containsExactly(1L, 2L, 3L, 4L, 5L);
		}

		/** A node that has appended little has seen low positions only. */
		@Test
		void aFreePositionBetweenEventsOfOtherNodes() {
			EventStore node = RefusedAppendsIT.this.world.anotherStore();
			appendTo(node, placed(1));
			RefusedAppendsIT.this.world.transaction().executeWithoutResult((status) -> {
				RefusedAppendsIT.this.store.append(ACME, "order-1", ExpectedVersion.any(), placed(2), placed(3));
				status.setRollbackOnly();
			});
			append(ExpectedVersion.any(), placed(4), placed(5));
			setDrawn(2);
			assertThatExceptionOfType(UnsafePositionsException.class).isThrownBy(() -> appendTo(node, placed(6)))
				.withMessageContaining("setval");
			assertThat(versions("order-1")).containsExactly(1L, 2L, 3L);
			setDrawn(5);
			appendTo(node, placed(6));
			assertThat(versions("order-1")).containsExactly(1L, 2L, 3L, 4L);
		}

		private void appendTo(EventStore node, NewEvent event) {
			RefusedAppendsIT.this.world.transaction()
				.executeWithoutResult((status) -> node.append(ACME, "order-1", ExpectedVersion.any(), event));
		}

		private void setDrawn(long position) {
			RefusedAppendsIT.this.world.jdbc()
				.queryForList("select setval(pg_get_serial_sequence('eventing.events', 'global_position'), ?)",
						position);
		}

		@Test
		void anAppendOutsideATransaction() {
			assertThatExceptionOfType(WrongTransactionException.class)
				.isThrownBy(() -> RefusedAppendsIT.this.store.append(ACME, "order-1", ExpectedVersion.any(), placed(1)))
				.withMessageContaining("order-1");
		}

		/** There a listener of a transaction is called, as a rule. */
		@Test
		void anAppendAfterTheEndOfATransaction() {
			List<Throwable> thrown = new ArrayList<>();
			RefusedAppendsIT.this.world.transaction()
				.executeWithoutResult((status) -> TransactionSynchronizationManager
					.registerSynchronization(new TransactionSynchronization() {

						@Override
						public void afterCompletion(int completion) {
							thrown.add(catchThrowable(() -> RefusedAppendsIT.this.store.append(ACME, "order-1",
									ExpectedVersion.any(), placed(1))));
						}

					}));
			assertThat(thrown.get(0)).isInstanceOf(WrongTransactionException.class)
				.hasMessageContaining("order-1")
				.hasMessageContaining("Consider @Transactional(propagation = REQUIRES_NEW)");
			assertThat(versions("order-1")).isEmpty();
		}

		@Test
		void anAppendInATransactionOfAnotherDataSource() {
			try (StoreWorld other = StoreWorld.create()) {
				assertThatExceptionOfType(WrongTransactionException.class)
					.isThrownBy(() -> other.inTransaction(() -> RefusedAppendsIT.this.store.append(ACME, "order-1",
							ExpectedVersion.any(), placed(1))))
					.withMessageContaining("another DataSource");
			}
			assertThat(versions("order-1")).isEmpty();
		}

	}

}
