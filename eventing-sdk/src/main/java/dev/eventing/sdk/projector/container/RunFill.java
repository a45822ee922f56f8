package dev.eventing.sdk.projector.container;

import dev.eventing.sdk.deadletter.ledger.RebuiltLetters;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.idempotency.ClaimDifferences;
import dev.eventing.sdk.projection.ledger.Filling;
import dev.eventing.sdk.projection.ledger.FillingLedger;
import dev.eventing.sdk.projection.ledger.SourceStream;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.feed.store.BuildLimits;
import dev.eventing.sdk.projector.feed.store.FillRecords;
import dev.eventing.sdk.projector.feed.store.JdbcCheckpoints;
import dev.eventing.sdk.projector.feed.store.StoreFill;
import dev.eventing.sdk.projector.transaction.FencedTransactions;
import dev.eventing.sdk.projector.transaction.FillingClaims;
import dev.eventing.sdk.projector.transaction.LedgerClaims;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/** The filling of a read model in one run of a projector. */
final class RunFill {

	private RunFill() {
	}

	/** Sends no query. Null if the run fills nothing. */
	static @Nullable StoreFill of(RunContext run, ProjectorEndpoint endpoint, ProjectorServices services,
			FencedTransactions transactions, RunEffects effects) {
		Filling filling = run.filling();
		if (filling == null) {
			return null;
		}
		JdbcTemplate jdbc = new JdbcTemplate(services.dataSource());
		EventingSchema schema = services.schema();
		ProjectorId id = endpoint.id();
		ProjectorId live = filling.projection();
		LedgerClaims claims = filling.isBeside() ? null : new LedgerClaims(live, services.processedEvents());
		ClaimDifferences differences = new ClaimDifferences(jdbc, schema, filling.id());
		SourceStream stream = filling.stream();
		FillingClaims firsts = (stream != null) ? new FillingClaims(jdbc, schema, filling.id(), id, stream) : null;
		JdbcCheckpoints ended = new JdbcCheckpoints(jdbc, schema, filling.id());
		FillRecords records = new FillRecords(new RebuiltLetters(jdbc, schema, live),
				new RebuiltLetters(jdbc, schema, id), claims,
				(claims != null) ? claims::unclaim : differences::passedBy, firsts, () -> {
					ended.forget();
					effects.filled();
				}, effects::tidy);
		return new StoreFill(filling, new FillingLedger(jdbc, schema, live), records, transactions, endpoint.options(),
				run.onFilled())
			.within(BuildLimits.of(filling, endpoint.readModel().tables(), services));
	}

}
