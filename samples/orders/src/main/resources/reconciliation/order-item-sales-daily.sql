-- What was shipped on each day, beside what was counted.
with expected as (
  select tenant_id, (payload ->> 'shippedOn')::date as day, line ->> 'sku' as sku, payload ->> 'currency' as currency,
         sum((line ->> 'quantity')::int) as sold,
         sum((line ->> 'quantity')::int * (line ->> 'unitPrice')::numeric) as amount
    from eventing.applied_events('order-item-sales-daily'), jsonb_array_elements(payload -> 'lines') as line
   where event_type = 'order.shipped'
   group by 1, 2, 3, 4)
select tenant_id, day, sku, currency, e.sold as expected_sold, d.qty_sold, e.amount as expected_amount, d.gross_amount
  from expected e full join order_item_sales_daily d using (tenant_id, day, sku, currency)
 where (e.sold, e.amount) is distinct from (d.qty_sold, d.gross_amount)
