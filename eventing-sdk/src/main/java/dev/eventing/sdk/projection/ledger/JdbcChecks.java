package dev.eventing.sdk.projection.ledger;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import dev.eventing.sdk.projection.Checks;
import dev.eventing.sdk.projection.ReconciliationResult;
import org.jspecify.annotations.Nullable;

/** The checks of read models in the SDK's tables. Thread-safe. */
public final class JdbcChecks implements Checks {

	private final CheckLedger results;

	private final CheckRequests requests;

	public JdbcChecks(CheckLedger results, CheckRequests requests) {
		this.results = results;
		this.requests = requests;
	}

	@Override
	public List<ReconciliationResult> lastOfEach(String projector) {
		return this.results.lastOfEach(projector);
	}

	@Override
	public UUID request(String projector, @Nullable String check, String actor, @Nullable String reason,
			Duration patience) {
		return this.requests.add(projector, null, check, actor, reason, patience);
	}

	@Override
	public UUID requestBeside(String projector, int generation, @Nullable String check, String actor,
			@Nullable String reason, Duration patience) {
		return this.requests.add(projector, generation, check, actor, reason, patience);
	}

}
