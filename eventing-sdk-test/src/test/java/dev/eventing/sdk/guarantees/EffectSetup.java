package dev.eventing.sdk.guarantees;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.projector.Effects;
import dev.eventing.sdk.projector.HandlerMode;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.store.NewEvent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A projector whose handlers append two events for each that they get. */
abstract class EffectSetup extends LettersSetup {

	/**
	 * Deposits without their two notices, or with one more than once; and notices without
	 * a deposit.
	 */
	private static final String DIFFERENCES = """
			with deposits as (
			  select payload->>'account' as account, payload->>'version' as version, n
			    from eventing.events cross join generate_series(1, 2) n
			   where event_type = 'Deposited'),
			notices as (
			  select payload->>'account' as account, payload->>'version' as version, (payload->>'n')::int as n,
			         count(*) as times
			    from eventing.events where event_type = 'Noticed' group by 1, 2, 3)
			select d.account, d.version, d.n, t.account as noticed, t.times
			  from deposits d full join notices t on t.account = d.account and t.version = d.version and t.n = d.n
			 where t.times is distinct from 1 or d.account is null""";

	final void append(String account, long from, long to) {
		this.world.append(World.ACME, account, from, to);
	}

	/** How many effects the event store has of an account. */
	final long notices(String account) {
		return this.world
			.count("select count(*) from eventing.events where event_type = 'Noticed' and payload->>'account' = '"
					+ account + "'");
	}

	final void awaitNotices(String account, long number) {
		await().until(() -> notices(account) == number);
	}

	/** Each event that was appended has its effects once. */
	final void awaitEachEffectOnce() {
		await().untilAsserted(() -> assertThat(differences()).isEmpty());
	}

	final List<Map<String, Object>> differences() {
		return this.world.jdbc().queryForList(DIFFERENCES);
	}

	final List<String> states() {
		return this.world.jdbc()
			.queryForList("select distinct state from eventing.projection_effects order by 1", String.class);
	}

	/**
	 * The event that the handler appends.
	 *
	 * @param account that of the deposit
	 * @param version that of the deposit
	 * @param n 1 or 2
	 */
	record Noticed(String account, long version, int n) {
	}

	/** Appends before it may fail. */
	abstract static class Noticing extends BesideSetup.Failing {

		final Set<HandlerMode> modes = ConcurrentHashMap.newKeySet();

		void apply(Deposited event, String tenantId, Effects effects, HandlerMode mode) {
			this.modes.add(mode);
			effects.append("notices-" + event.account(), NewEvent.of(new Noticed(event.account(), event.version(), 1)));
			apply(event, tenantId);
			effects.append("later-" + event.account(), NewEvent.of(new Noticed(event.account(), event.version(), 2)));
		}

	}

	@Projector(value = Accounts.PROJECTOR, tables = { "account", "violations" })
	static class First extends Noticing {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE, concurrency = 3,
				maxDeliver = 1000, retryDelay = 50, retryMaxDelay = 100, noRetryFor = IllegalArgumentException.class)
		public void on(Deposited event, UUID eventId, String tenantId, Effects effects, HandlerMode mode) {
			apply(event, tenantId, effects, mode);
		}

	}

	@Projector(value = Accounts.PROJECTOR, version = 2, tables = { "account", "violations" })
	static class Second extends Noticing {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE, concurrency = 3,
				maxDeliver = 1000, retryDelay = 50, retryMaxDelay = 100, noRetryFor = IllegalArgumentException.class)
		public void on(Deposited event, UUID eventId, String tenantId, Effects effects, HandlerMode mode) {
			apply(event, tenantId, effects, mode);
		}

	}

}
