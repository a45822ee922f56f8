-- Version 2 of order_summary. The handler fills the column from now on. In rows that exist
-- already it is null, and no default value could know it: their events do, so the read
-- model is rebuilt.
alter table order_summary add column created_at timestamptz;
comment on column order_summary.created_at is 'When the order was created: the time of its first event.';
