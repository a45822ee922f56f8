-- Each order as its events say, beside its row.
with expected as (
  select tenant_id, stream_id as order_id,
         max(payload ->> 'customerId') as customer_id,
         max(payload ->> 'currency') filter (where event_type = 'order.created') as currency,
         (array_agg(case event_type when 'order.created' then 'CREATED' when 'order.submitted' then 'SUBMITTED'
                                    when 'order.payment-authorized' then 'PAID' when 'order.shipped' then 'SHIPPED'
                                    when 'order.cancelled' then 'CANCELLED' end order by stream_version desc)
           filter (where event_type not in ('order.item-added', 'order.item-removed')))[1] as status,
         coalesce(sum(sign * (payload ->> 'quantity')::int), 0) as item_count,
         coalesce(sum(sign * (payload ->> 'quantity')::int * (payload ->> 'unitPrice')::numeric), 0) as total_amount,
         max(occurred_at) filter (where event_type = 'order.submitted') as submitted_at,
         max(occurred_at) filter (where event_type = 'order.payment-authorized') as paid_at,
         max(occurred_at) filter (where event_type = 'order.shipped') as shipped_at,
         max(occurred_at) filter (where event_type = 'order.created') as created_at,
         (array_agg(occurred_at order by stream_version desc))[1] as updated_at
    from eventing.applied_events('order-summary')
    left join (values ('order.item-added', 1), ('order.item-removed', -1)) as items (event_type, sign)
         using (event_type)
   group by tenant_id, stream_id)
select tenant_id, order_id, e.status as expected_status, s.status, e.item_count as expected_items, s.item_count,
       e.total_amount as expected_total, s.total_amount, e.created_at as expected_created, s.created_at
  from expected e full join order_summary s using (tenant_id, order_id)
 where (e.customer_id, e.currency, e.status, e.item_count, e.total_amount, e.submitted_at, e.paid_at, e.shipped_at,
        e.created_at, e.updated_at)
       is distinct from (s.customer_id, s.currency, s.status, s.item_count, s.total_amount, s.submitted_at, s.paid_at,
        s.shipped_at, s.created_at, s.updated_at)
