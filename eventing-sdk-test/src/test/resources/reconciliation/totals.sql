with expected as (
  select payload->>'account' as account, count(*) as events, sum((payload->>'amount')::bigint) as total
    from eventing.applied_events('totals')
   where event_type = 'Deposited'
   group by 1)
select coalesce(e.account, t.account) as account, e.total as expected, t.total as found
  from expected e full join totals t on t.account = e.account
 where (e.events, e.total) is distinct from (t.events, t.total)
