-- The read models of this application. They are the application's own: the tables of the
-- Eventing SDK live in a schema and a migration history of their own beside them.

create table order_summary (
    tenant_id    text           not null,
    order_id     text           not null,
    customer_id  text           not null,
    status       text           not null,
    currency     text           not null,
    total_amount numeric(12, 2) not null,
    item_count   int            not null,
    submitted_at timestamptz,
    paid_at      timestamptz,
    shipped_at   timestamptz,
    updated_at   timestamptz    not null,
    primary key (tenant_id, order_id),
    constraint order_summary_currency check (currency in ('EUR', 'USD', 'GBP'))
);
create index order_summary_customer_updated_idx on order_summary (tenant_id, customer_id, updated_at desc);
create index order_summary_status_updated_idx on order_summary (tenant_id, status, updated_at desc);
comment on table order_summary is 'One row per order, for the people who answer customers.';

create table order_item_sales_daily (
    tenant_id    text           not null,
    day          date           not null,
    sku          text           not null,
    currency     text           not null,
    qty_sold     bigint         not null,
    gross_amount numeric(14, 2) not null,
    -- also finds what was sold on a day
    primary key (tenant_id, day, sku, currency)
);
create index order_item_sales_daily_sku_day_idx on order_item_sales_daily (tenant_id, sku, day);
comment on table order_item_sales_daily is 'What each tenant sold per day, counted when it is shipped.';
