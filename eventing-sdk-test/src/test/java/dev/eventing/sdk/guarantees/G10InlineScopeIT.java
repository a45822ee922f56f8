package dev.eventing.sdk.guarantees;

import java.util.Set;
import java.util.UUID;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.annotation.ReadModelRows;
import dev.eventing.sdk.projection.InlineStatus;
import dev.eventing.sdk.projection.ProjectionRequest.By;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import dev.eventing.sdk.projection.RebuildScope;
import dev.eventing.sdk.projection.ScopedRebuild;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** G12, G13: an inline projector leaves appends alone for a rebuild of a part. */
class G10InlineScopeIT extends InlineSetup {

	@Test
	void isInlineAgainAfterAPartOfItIsRebuilt() {
		try (AnnotationConfigApplicationContext application = startInline(new OwnedInline())) {
			append(application, "a1", 1, 10);
			append(application, "a2", 1, 5);
			this.world.jdbc().update("update account set total = -1 where account = 'a1'");
			this.operators.rebuildScope(Accounts.PROJECTOR,
					new ScopedRebuild(new RebuildScope.Streams(World.ACME, Set.of(this.world.storedStream("a1")))),
					new By("anna", REASON), Patience.LONG);
			append(application, "a1", 11, 12);
			await().until(() -> status() == Status.DONE);
			append(application, "a1", 13, 14);
			awaitStatus(InlineStatus.INLINE);
			append(application, "a1", 15, 15);
			await().until(() -> version("a1") == 15);
			assertThatTheReadModelHasAllEvents();
			assertThat(inlineStatus()).isEqualTo(InlineStatus.INLINE);
		}
	}

	/** Declares what its rows are made of. */
	@Projector(value = Accounts.PROJECTOR, tables = "account",
			rows = @ReadModelRows(streamColumn = "account", streamPrefix = "${root}-"))
	static class OwnedInline extends RebuildSetup.Failing {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.INLINE, concurrency = 3)
		public void on(Deposited event, UUID eventId, String tenantId) {
			apply(event, tenantId);
		}

	}

}
