package dev.eventing.sdk.guarantees;

import java.util.Locale;

import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.store.AppendGuard;
import dev.eventing.sdk.store.AppendListener;
import dev.eventing.sdk.store.AppendedEvents;
import dev.eventing.sdk.store.EventStore;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.NewEvent;
import dev.eventing.sdk.store.PendingAppend;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The JVM may run in a locale whose digits PostgreSQL does not know. */
class LocalesIT {

	private final Locale before = Locale.getDefault();

	@AutoClose
	private final World world = World.create();

	@AfterEach
	void restore() {
		Locale.setDefault(this.before);
	}

	@ParameterizedTest
	@ValueSource(strings = { "ar-EG", "fa-IR-u-nu-arabext" })
	void withOtherDigitsChangeNoStatement(String tag) {
		Locale.setDefault(Locale.forLanguageTag(tag));
		assertThat("%d".formatted(7)).as("the digits of the locale").isNotEqualTo("7");
		Generations generations = new Generations(this.world, Accounts.PROJECTOR);
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(new StoredAccounts(), new Guarded()))) {
			this.world.append(World.ACME, "a", 1, 3);
			await().until(() -> this.world.version(World.ACME, "a") == 3);
			appendGuarded(application, "b");
			await().until(() -> this.world.version(World.ACME, "b") == 1);
			int generation = generations.build();
			generations.switchTo(generation);
			assertThat(this.world.version(World.ACME, "a")).isEqualTo(3);
			assertThat(this.world.operators().find(DeadLetterFilter.ALL, null, 10).letters()).isEmpty();
		}
	}

	private void appendGuarded(AnnotationConfigApplicationContext application, String account) {
		new TransactionTemplate(application.getBean(PlatformTransactionManager.class))
			.executeWithoutResult((status) -> application.getBean(EventStore.class)
				.append(World.ACME, this.world.storedStream(account), ExpectedVersion.exact(0),
						NewEvent.of(new Deposited(account, 1, 1))));
	}

	/** A guard is a part of the statement that appends. */
	static final class Guarded implements AppendListener {

		@Override
		public String name() {
			return "guarded";
		}

		@Override
		public AppendGuard beforeAppend(PendingAppend append) {
			return new AppendGuard("pg_advisory_xact_lock(45, 1)");
		}

		@Override
		public void appended(AppendedEvents append, @Nullable String guard) {
			// only the guard counts
		}

	}

}
