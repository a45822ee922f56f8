create table loan (
    id         uuid primary key,
    tenant     text not null check (tenant <> 'no tenant'),
    book_title text not null,
    reader_id  text not null
);

create table reservation (
    id         uuid primary key,
    tenant     text not null default current_setting('app.tenant'),
    book_title text not null,
    reader_id  text not null
);

alter table reservation enable row level security;
create policy of_tenant on reservation using (tenant = current_setting('app.tenant', true));

-- The role of the application owns no table.
grant usage on schema public to library;
grant select, insert, update, delete on loan, reservation to library;
