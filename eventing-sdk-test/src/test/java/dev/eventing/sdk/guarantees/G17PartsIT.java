package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.eventing.sdk.erasure.ErasureReport;
import dev.eventing.sdk.projection.BackfillOptions;
import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.RebuildScope;
import dev.eventing.sdk.projection.ScopedRebuild;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.test.timing.Patience;
import dev.eventing.sdk.test.timing.Steady;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** G17: contents that are erased while a part of a read model is rebuilt or filled. */
class G17PartsIT extends ErasureSetup {

	private static final ProjectionRequest.By ANNA = new ProjectionRequest.By("anna", "a part");

	@Test
	void waitsForARebuildOfAPartAndThenTakesItsRowsToo() throws Exception {
		Stored people = new Stored();
		append(World.ACME, "a", this.secret);
		append(World.ACME, "b", "bob");
		try (AnnotationConfigApplicationContext application = start(people)) {
			awaitNames(World.ACME, "a", this.secret);
			awaitNames(World.ACME, "b", "bob");
			awaitDeclared();
			people.waitsFor = this.secret;
			ProjectionRequest part = this.projections.rebuildScope(PEOPLE,
					new ScopedRebuild(new RebuildScope.OfTenant(World.ACME)), ANNA, Patience.LONG);
			people.begun.await();
			CompletableFuture<ErasureReport> erased = CompletableFuture.supplyAsync(() -> erase("a"));
			Steady.holds(Duration.ofMillis(500), () -> !erased.isDone());
			people.goesOn.countDown();
			assertThat(count(erased.get(), "rows of table \"person\"")).isOne();
			assertThatNothingIsFound();
			awaitDone(part);
			// the rest of the events is passed over
			awaitDone(this.projections.rebuildScope(PEOPLE,
					new ScopedRebuild(new RebuildScope.Streams(World.ACME, Set.of(stream("a"), stream("b")))), ANNA,
					Patience.LONG));
			assertThat(names("public", World.ACME, "b")).isEqualTo("bob");
			assertThatNothingIsFound();
		}
	}

	@Test
	void waitsForABackfillWhichThenPassesTheRestOver() throws Exception {
		Stored people = new Stored();
		append(World.ACME, "a", this.secret, this.secret + "2", this.secret + "3");
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(people).with(ProjectorSettings.builder().batchSize(1).build()))) {
			awaitNames(World.ACME, "a", this.secret + " " + this.secret + "2 " + this.secret + "3");
			awaitDeclared();
			// only what is settled for the backfill keeps an erasure waiting then
			people.waitsFirst = true;
			people.waitsFor = this.secret;
			ProjectionRequest backfill = this.projections.backfill(PEOPLE, BackfillOptions.ofHandler("on"), "anna",
					"a column", Patience.LONG);
			people.begun.await();
			CompletableFuture<ErasureReport> erased = CompletableFuture.supplyAsync(() -> erase("a"));
			Steady.holds(Duration.ofMillis(500), () -> !erased.isDone());
			people.goesOn.countDown();
			assertThat(count(erased.get(), "rows of table \"person\"")).isOne();
			awaitDone(backfill);
			assertThatNothingIsFound();
		}
	}

	/** A rebuild of a part, once the event is applied that is refused from now on. */
	private ProjectionRequest rebuildOfRefused(Stored people) {
		awaitNames(World.ACME, "a", this.secret);
		awaitDeclared();
		people.refuses = this.secret;
		return this.projections.rebuildScope(PEOPLE, new ScopedRebuild(new RebuildScope.OfTenant(World.ACME)), ANNA,
				Patience.LONG);
	}

	/** Such as the message of an exception. */
	@Test
	void takesWhatARebuildOfAPartSaidOfAnEventThatFailed() {
		Stored people = new Stored();
		append(World.ACME, "a", this.secret);
		try (AnnotationConfigApplicationContext application = start(people)) {
			ProjectionRequest part = rebuildOfRefused(people);
			await().until(() -> this.projections.request(part.id())
				.orElseThrow()
				.state()
				.status() == ProjectionRequest.Status.FAILED);
		}
		assertThat(found(this.secret)).containsKeys("eventing.projection_requests", "eventing.projection_audit");
		assertThat(count(this.erasure.plan(request("a")), "failures of rebuilds of parts")).isOne();
		assertThat(count(erase("a"), "failures of rebuilds of parts")).isOne();
		assertThatNothingIsFound();
		assertThat(erase("a").total()).isZero();
	}

	/** It says why it waited, which may be a failure. */
	@Test
	void takesWhatARebuildOfAPartSaidThatExpired() {
		append(World.ACME, "a", this.secret);
		this.world.jdbc()
			.update("""
					insert into eventing.projection_requests (projection_name, action, status, actor, reason, expires_at,
					                                          ended_at, scope_kind, scope_tenant, detail)
					values (?, 'REBUILD_SCOPE', 'EXPIRED', 'anna', 'a part', now(), now(), 'TENANT', 'acme', ?),
					       (?, 'REBUILD_SCOPE', 'DONE', 'anna', 'a part', now(), now(), 'TENANT', 'acme', 'Rebuilt all.')""",
					PEOPLE, "It fails with " + this.secret + ". It is tried again.", PEOPLE);
		assertThat(count(this.erasure.plan(request("a")), "failures of rebuilds of parts")).isOne();
		assertThat(count(erase("a"), "failures of rebuilds of parts")).isOne();
		assertThatNothingIsFound();
		assertThat(this.world.jdbc()
			.queryForList("select detail from eventing.projection_requests order by request_id", String.class))
			.containsExactly("erased", "Rebuilt all.");
	}

	/** The reason is known before the erasure, and stored after it. */
	@Test
	void storesNoReasonOfARebuildOfAPartThatEndedBeforeIt() {
		Stored people = new Stored();
		people.refusal = ErasedBeforeItIsTold::new;
		append(World.ACME, "a", this.secret);
		try (AnnotationConfigApplicationContext application = start(people)) {
			ProjectionRequest part = rebuildOfRefused(people);
			await().untilAsserted(() -> assertThat(this.projections.request(part.id()).orElseThrow().state())
				.returns(ProjectionRequest.Status.FAILED, ProjectionRequest.State::status)
				.returns("Contents were erased meanwhile, so the reason stands only in the log of the node.",
						ProjectionRequest.State::detail));
			assertThatNothingIsFound();
			assertThat(application.isActive()).isTrue();
		}
	}

	/** Whoever asks for its message outside the handler's transaction gets it late. */
	private final class ErasedBeforeItIsTold extends IllegalArgumentException {

		private static final long serialVersionUID = 1L;

		private final transient AtomicBoolean erased = new AtomicBoolean();

		ErasedBeforeItIsTold(String name) {
			super("It refuses " + name);
		}

		@Override
		public String getMessage() {
			if (!TransactionSynchronizationManager.isActualTransactionActive()
					&& this.erased.compareAndSet(false, true)) {
				erase("a");
			}
			return super.getMessage();
		}

	}

	private void awaitDone(ProjectionRequest request) {
		await().until(() -> this.projections.request(request.id())
			.orElseThrow()
			.state()
			.status() == ProjectionRequest.Status.DONE);
	}

}
