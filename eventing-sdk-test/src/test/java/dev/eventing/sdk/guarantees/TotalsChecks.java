package dev.eventing.sdk.guarantees;

import dev.eventing.sdk.projection.Reconciliation;

import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.stereotype.Component;

/** The checks of the guide. */
@Component
class TotalsChecks {

	@Reconciliation(name = "totals", projector = "totals", every = "10m")
	Resource totals() {
		return new ClassPathResource("reconciliation/totals.sql");
	}

	@Reconciliation(name = "no-negative-total", projector = "totals")
	String noNegativeTotal() {
		return "select account, total from totals where total < 0";
	}

	@Reconciliation(name = "totals-in-buckets", projector = "totals", buckets = 16)
	String totalsInBuckets() {
		return """
				with expected as (
				  select payload->>'account' as account, sum((payload->>'amount')::bigint) as total
				    from eventing.applied_events('totals')
				   where event_type = 'Deposited'
				     and (hashtext(payload->>'account') & 2147483647) % current_setting('eventing.buckets')::int
				         = current_setting('eventing.bucket')::int
				   group by 1),
				found as (
				  select account, total from totals
				   where (hashtext(account) & 2147483647) % current_setting('eventing.buckets')::int
				         = current_setting('eventing.bucket')::int)
				select account, e.total as expected, f.total as found
				  from expected e full join found f using (account)
				 where e.total is distinct from f.total""";
	}

}
