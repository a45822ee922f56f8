package dev.eventing.sdk.store;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import dev.eventing.sdk.event.EventJson;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;

import static dev.eventing.sdk.store.StoreWorld.ACME;
import static dev.eventing.sdk.store.StoreWorld.SCHEMA;
import static org.assertj.core.api.Assertions.assertThat;

/** Listeners that note their calls, and guards that note theirs in a table. */
abstract class AppendListenerSetup extends StoreSetup {

	final List<String> calls = new ArrayList<>();

	/** A function that notes its argument, with the positions drawn until then. */
	@BeforeEach
	void createNotes() {
		this.world.jdbc().execute("""
				create table if not exists notes (number serial, note text not null, drawn bigint not null);
				truncate notes restart identity;
				create or replace function note(said text) returns text language plpgsql volatile as $$ begin
				  insert into notes (note, drawn) select said, case when is_called then last_value else 0 end
				    from eventing.events_global_position_seq;
				  return 'noted ' || said;
				end $$""");
	}

	List<String> notes() {
		return this.world.jdbc().queryForList("select note || ' ' || drawn from notes order by number", String.class);
	}

	void write(String note) {
		this.world.jdbc().update("insert into notes (note, drawn) values (?, -1)", note);
	}

	AppendResult append(EventStore listened, String streamId, NewEvent... events) {
		return this.world.inTransaction(() -> listened.append(ACME, streamId, ExpectedVersion.any(), events));
	}

	Listener listener(String name, int order) {
		return new Listener(name, order);
	}

	Listener listener(String name) {
		return listener(name, 0);
	}

	void assertNothingIsStored() {
		assertThat(this.world.count("select count(*) from eventing.events")).isZero();
		assertThat(this.world.count("select count(*) from eventing.streams")).isZero();
		assertThat(notes()).isEmpty();
	}

	static EventStore listened(CountingDataSource counting, AppendListener... listeners) {
		return new EventStore(counting, SCHEMA, EventJson.mapper(), new AppendSignal(), StoreOptions.defaults(),
				Clock.systemUTC())
			.withListeners(List.of(listeners));
	}

	/** Notes its calls. */
	final class Listener implements AppendListener {

		private final String name;

		private final int order;

		private @Nullable AppendGuard guard = AppendGuard.NONE;

		private Consumer<PendingAppend> before = (append) -> {
		};

		private BiConsumer<AppendedEvents, @Nullable String> after = (append, result) -> {
		};

		Listener(String name, int order) {
			this.name = name;
			this.order = order;
		}

		Listener guard(String sql) {
			this.guard = new AppendGuard(sql);
			return this;
		}

		/** Takes part in no append. */
		Listener idle() {
			this.guard = null;
			return this;
		}

		Listener before(Consumer<PendingAppend> action) {
			this.before = action;
			return this;
		}

		Listener after(BiConsumer<AppendedEvents, @Nullable String> action) {
			this.after = action;
			return this;
		}

		@Override
		public String name() {
			return this.name;
		}

		@Override
		public int order() {
			return this.order;
		}

		@Override
		public @Nullable AppendGuard beforeAppend(PendingAppend append) {
			AppendListenerSetup.this.calls.add("before " + this.name);
			this.before.accept(append);
			return this.guard;
		}

		@Override
		public void appended(AppendedEvents append, @Nullable String result) {
			AppendListenerSetup.this.calls.add("after " + this.name);
			this.after.accept(append, result);
		}

	}

}
