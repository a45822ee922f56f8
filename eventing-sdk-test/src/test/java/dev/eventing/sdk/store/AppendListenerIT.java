package dev.eventing.sdk.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.event.Event;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static dev.eventing.sdk.store.StoreWorld.ACME;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** Listeners of the event store, in the transactions of those who append. */
class AppendListenerIT extends AppendListenerSetup {

	@Nested
	class ThatTakesPart {

		@Test
		void isCalledBeforeAndAfterTheStatementByOrderAndThenByName() {
			EventStore listened = AppendListenerIT.this.store.withListeners(
					List.of(listener("c", 1), listener("b", 0), listener("a", 1), listener("d", Integer.MIN_VALUE)));
			append(listened, "order-1", placed(1));
			assertThat(AppendListenerIT.this.calls).containsExactly("before d", "before b", "before a", "before c",
					"after d", "after b", "after a", "after c");
		}

		@Test
		void seesTheCompleteEventsBeforeTheStatement() {
			NewEvent event = placed(1).withKey("k").withCorrelationId("c");
			List<PendingAppend> seen = new ArrayList<>();
			Listener listener = listener("one").before(seen::add);
			append(AppendListenerIT.this.store.withListeners(List.of(listener)), "order-1", event, raw("{\"a\": 1e3}"));
			assertThat(seen).singleElement().satisfies((append) -> {
				assertThat(append.tenantId()).isEqualTo(ACME);
				assertThat(append.streamId()).isEqualTo("order-1");
				assertThat(append.expected()).isEqualTo(ExpectedVersion.any());
				assertThat(append.events()).extracting(Event::type).containsExactly("placed", "raw");
				Event<String> first = append.events().get(0);
				assertThat(first.id()).isEqualTo(event.id());
				assertThat(first.key()).isEqualTo("k");
				assertThat(first.correlationId()).isEqualTo("c");
				assertThat(first.streamVersion()).as("not known yet").isNull();
				assertThat(append.events().get(1).payload()).isEqualTo("{\"a\": 1e3}");
			});
		}

		@Test
		void seesTheEventsAfterTheStatementAsReadersWill() {
			append(ExpectedVersion.any(), placed(1));
			List<AppendedEvents> seen = new ArrayList<>();
			Listener listener = listener("one").after((append, guard) -> {
				assertThat(guard).isNull();
				assertThat(AppendListenerIT.this.store.version(ACME, "order-1")).as("in the transaction").isEqualTo(4);
				seen.add(append);
			});
			AppendResult result = append(AppendListenerIT.this.store.withListeners(List.of(listener)), "order-1",
					placed(2).withHeader("traceparent", "00-1-2-01").withKey("k"),
					raw("{\"b\": 1e3, \"a\": 1, \"a\": 2}"), placed(3));
			assertThat(result).isEqualTo(new AppendResult(4, 2, 4));
			assertThat(seen).singleElement().satisfies((append) -> {
				assertThat(append.tenantId()).isEqualTo(ACME);
				assertThat(append.streamId()).isEqualTo("order-1");
				assertThat(append.result()).isEqualTo(result);
				assertThat(append.events().stream().map(AppendListenerIT::described).toList())
					.isEqualTo(AppendListenerIT.this.store.readStream(ACME, "order-1", 2, 9)
						.map(AppendListenerIT::described)
						.toList());
				assertThat(append.events().get(1).event().payload().bytes()).asString(UTF_8)
					.isEqualTo("{\"a\": 2, \"b\": 1000}");
			});
		}

		@Test
		void isCalledOnTheThreadAndInTheTransactionOfTheAppend() {
			Thread thread = Thread.currentThread();
			Listener listener = listener("one").after((append, guard) -> {
				assertThat(Thread.currentThread()).isSameAs(thread);
				assertThat(TransactionSynchronizationManager.isActualTransactionActive()).isTrue();
				write("after");
			});
			EventStore listened = AppendListenerIT.this.store.withListeners(List.of(listener));
			AppendListenerIT.this.world.transaction().executeWithoutResult((status) -> {
				listened.append(ACME, "order-1", ExpectedVersion.any(), placed(1));
				status.setRollbackOnly();
			});
			assertNothingIsStored();
			assertThat(AppendListenerIT.this.world.signal().count()).isZero();
			append(listened, "order-1", placed(1));
			assertThat(notes()).containsExactly("after -1");
			assertThat(AppendListenerIT.this.world.signal().count()).isEqualTo(1);
		}

		@Test
		void isCalledForEachAppendOfATransactionAndForEachTryOfAnAppend() {
			UUID id = UUID.randomUUID();
			List<String> seen = new ArrayList<>();
			Listener listener = listener("one").after((append, guard) -> append.events()
				.forEach((event) -> seen.add(event.event().streamId() + " " + event.event().id().equals(id))));
			EventStore listened = AppendListenerIT.this.store.withListeners(List.of(listener));
			for (int attempt = 0; attempt < 2; attempt++) {
				AppendListenerIT.this.world.transaction().executeWithoutResult((status) -> {
					listened.append(ACME, "order-1", ExpectedVersion.any(), placed(1).withId(id));
					listened.append(ACME, "order-2", ExpectedVersion.noStream(), placed(2));
					status.setRollbackOnly();
				});
			}
			assertThat(seen).containsExactly("order-1 true", "order-2 false", "order-1 true", "order-2 false");
		}

		@Test
		void worksWithEachKindOfExpectedVersion() {
			EventStore listened = AppendListenerIT.this.store
				.withListeners(List.of(listener("one").guard("note('g')")));
			AppendListenerIT.this.world.transaction().executeWithoutResult((status) -> {
				listened.append(ACME, "order-1", ExpectedVersion.noStream(), placed(1));
				listened.append(ACME, "order-1", ExpectedVersion.exact(1), placed(2));
				listened.append(ACME, "order-1", ExpectedVersion.any(), placed(3));
			});
			assertThat(notes()).containsExactly("g 0", "g 1", "g 2");
			assertThat(versions("order-1")).containsExactly(1L, 2L, 3L);
		}

		@Test
		void isNotCalledAgainAfterAConflictAndItsGuardIsNotEvaluated() {
			append(ExpectedVersion.any(), placed(1));
			EventStore listened = AppendListenerIT.this.store
				.withListeners(List.of(listener("one").guard("note('g')")));
			AppendListenerIT.this.world.transaction().executeWithoutResult((status) -> {
				assertThatExceptionOfType(VersionConflictException.class)
					.isThrownBy(() -> listened.append(ACME, "order-1", ExpectedVersion.exact(7), placed(2)));
				assertThatExceptionOfType(VersionConflictException.class)
					.isThrownBy(() -> listened.append(ACME, "order-1", ExpectedVersion.noStream(), placed(2)));
				listened.append(ACME, "order-1", ExpectedVersion.exact(1), placed(2));
			});
			assertThat(AppendListenerIT.this.calls).containsExactly("before one", "before one", "before one",
					"after one");
			assertThat(notes()).containsExactly("g 1");
			assertThat(AppendListenerIT.this.world.log().drawn()).as("conflicts draw no position").isEqualTo(2);
		}

		@Test
		void cannotAppendItself() {
			List<EventStore> self = new ArrayList<>();
			Listener listener = listener("one").after((append, guard) -> {
				write("first");
				self.get(0).append(ACME, "order-2", ExpectedVersion.any(), placed(2));
			});
			EventStore listened = AppendListenerIT.this.store.withListeners(List.of(listener));
			self.add(listened);
			assertThatExceptionOfType(AppendInListenerException.class)
				.isThrownBy(() -> append(listened, "order-1", placed(1)))
				.withMessageContaining("Listener 'one'")
				.withMessageContaining("'order-2'")
				.withMessageContaining("Consider");
			assertNothingIsStored();
		}

		@Test
		void hasANameOfItsOwn() {
			assertThatExceptionOfType(EventingException.class).isThrownBy(
					() -> AppendListenerIT.this.store.withListeners(List.of(listener("one", 1), listener("one", 2))))
				.withMessageContaining("'one'")
				.withMessageContaining("Consider");
		}

	}

	@Nested
	class ThatThrows {

		@Test
		void afterTheStatementLeavesNothingEvenIfTheCallerCommits() {
			Listener first = listener("first").after((append, guard) -> write("first"));
			Listener second = listener("second").after((append, guard) -> {
				throw new IllegalStateException("not with me");
			});
			EventStore listened = AppendListenerIT.this.store.withListeners(List.of(first, second, listener("third")));
			assertThatExceptionOfType(UnexpectedRollbackException.class)
				.isThrownBy(() -> AppendListenerIT.this.world.transaction().executeWithoutResult((status) -> {
					write("caller");
					assertThatIllegalStateException()
						.isThrownBy(() -> listened.append(ACME, "order-1", ExpectedVersion.any(), placed(1)))
						.withMessage("not with me");
				}));
			assertThat(AppendListenerIT.this.calls).endsWith("after first", "after second");
			assertNothingIsStored();
			assertThat(AppendListenerIT.this.world.signal().count()).isZero();
		}

		/** As that of JPA, whose commit the driver does not report as a rollback. */
		@Test
		void leavesNothingIfTheTransactionManagerDoesNotLookAtTheConnection() {
			Listener listener = listener("one").after((append, guard) -> {
				throw new IllegalStateException("not with me");
			});
			EventStore listened = AppendListenerIT.this.store.withListeners(List.of(listener));
			AppendListenerIT.this.world.transaction().executeWithoutResult((status) -> {
				assertThatIllegalStateException()
					.isThrownBy(() -> listened.append(ACME, "order-1", ExpectedVersion.any(), placed(1)));
				ConnectionHolder connection = (ConnectionHolder) TransactionSynchronizationManager
					.getResource(AppendListenerIT.this.world.dataSource());
				Objects.requireNonNull(connection).resetRollbackOnly();
			});
			assertNothingIsStored();
		}

		@Test
		void anErrorLeavesNothingEither() {
			Listener listener = listener("one").after((append, guard) -> {
				throw new AssertionError("not with me");
			});
			EventStore listened = AppendListenerIT.this.store.withListeners(List.of(listener));
			assertThatExceptionOfType(UnexpectedRollbackException.class)
				.isThrownBy(() -> AppendListenerIT.this.world.transaction()
					.executeWithoutResult((status) -> assertThatExceptionOfType(AssertionError.class)
						.isThrownBy(() -> listened.append(ACME, "order-1", ExpectedVersion.any(), placed(1)))));
			assertNothingIsStored();
		}

		@Test
		void afterTheStatementLeavesWhatTheCallerDidBeforeItsSavepoint() {
			Listener listener = listener("one").after((append, guard) -> {
				write("listener");
				throw new IllegalStateException("not with me");
			});
			EventStore listened = AppendListenerIT.this.store.withListeners(List.of(listener));
			AppendListenerIT.this.world.transaction().executeWithoutResult((status) -> {
				AppendListenerIT.this.store.append(ACME, "order-1", ExpectedVersion.any(), placed(1));
				assertThatIllegalStateException().isThrownBy(() -> nested().executeWithoutResult(
						(inner) -> listened.append(ACME, "order-1", ExpectedVersion.any(), placed(2))));
				AppendListenerIT.this.store.append(ACME, "order-1", ExpectedVersion.any(), placed(3));
			});
			assertThat(versions("order-1")).containsExactly(1L, 2L);
			assertThat(notes()).isEmpty();
		}

		private TransactionTemplate nested() {
			TransactionTemplate nested = new TransactionTemplate(
					Objects.requireNonNull(AppendListenerIT.this.world.transaction().getTransactionManager()));
			nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
			return nested;
		}

		@Test
		void beforeTheStatementLeavesTheTransactionUsable() {
			Listener listener = listener("one").before((append) -> {
				if (append.streamId().equals("order-1")) {
					throw new IllegalStateException("not with me");
				}
			});
			CountingDataSource counting = new CountingDataSource(AppendListenerIT.this.world.dataSource());
			EventStore listened = listened(counting, listener);
			AppendListenerIT.this.world.transaction().executeWithoutResult((status) -> {
				assertThatIllegalStateException()
					.isThrownBy(() -> listened.append(ACME, "order-1", ExpectedVersion.any(), placed(1)));
				AppendListenerIT.this.store.append(ACME, "order-2", ExpectedVersion.any(), placed(2));
			});
			assertThat(counting.statements()).as("nothing was sent").isZero();
			assertThat(versions("order-1")).isEmpty();
			assertThat(versions("order-2")).containsExactly(1L);
		}

	}

	@Test
	void anAppendInWhichNoListenerTakesPartIsTheStatementOfAStoreWithoutListeners() {
		List<String> plain = appendEachWay();
		assertThat(plain).as("three appends, each one statement").hasSize(3);
		assertThat(appendEachWay(listener("a").idle(), listener("b").idle())).isEqualTo(plain);
		assertThat(this.calls).as("no call after").hasSize(6).allMatch((call) -> call.startsWith("before"));
	}

	@Test
	void anAppendWithGuardsIsOneStatementToo() {
		assertThat(
				appendEachWay(listener("a").guard("note('a')"), listener("b").guard("note('b')"), listener("c").idle()))
			.hasSize(3);
		assertThat(this.calls).filteredOn((call) -> call.startsWith("after")).hasSize(6);
	}

	/** The statements of three appends. */
	private List<String> appendEachWay(AppendListener... listeners) {
		CountingDataSource counting = new CountingDataSource(this.world.dataSource());
		EventStore listened = listened(counting, listeners);
		String stream = "order-" + UUID.randomUUID();
		new TransactionTemplate(new JdbcTransactionManager(counting)).executeWithoutResult((status) -> {
			listened.append(ACME, stream, ExpectedVersion.noStream(), placed(1));
			listened.append(ACME, stream, ExpectedVersion.exact(1), placed(2));
			listened.append(ACME, stream, ExpectedVersion.any(), placed(3), placed(4));
		});
		return counting.texts();
	}

	private static String described(StoredEvent stored) {
		Event<?> event = stored.event();
		return stored.position() + " " + stored.recordedAt() + " " + event.id() + " " + event.type() + " "
				+ event.tenantId() + " " + event.streamId() + " " + event.streamVersion() + " " + event.time() + " "
				+ event.source() + " " + event.key() + " " + event.headers().toMap() + " "
				+ new String(stored.event().payload().bytes(), UTF_8);
	}

}
