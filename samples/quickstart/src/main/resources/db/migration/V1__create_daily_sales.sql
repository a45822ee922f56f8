create table daily_sales (
    tenant_id text   not null,
    day       date   not null,
    item      text   not null,
    quantity  bigint not null,
    primary key (tenant_id, day, item)
);
