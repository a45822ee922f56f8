-- The event store, the relays that publish it, projectors that read it, and who owns what on which node. Names carry
-- no schema: the session's search_path, or Flyway's default schema, decides. PostgreSQL 14 or later.
-- This file never changes once it is published; later versions add files.

create table streams (
    tenant_id varchar(255) not null,
    stream_id varchar(512) not null,
    version   bigint       not null,
    primary key (tenant_id, stream_id)
) with (fillfactor = 70);
comment on table streams is
    'One row per stream of events with its version. Its row is the lock of an append and the check of the expected '
    'version: it is written before positions are drawn. The primary key serves every append; the fill factor leaves '
    'room for updates in place.';

-- Positions are drawn by the insert itself, one at a time (cache 1, the default): reading without gaps relies on it.
create table events (
    global_position bigint       not null generated always as identity primary key,
    event_id        uuid         not null,
    tenant_id       varchar(255) not null,
    stream_id       varchar(512) not null,
    stream_version  bigint       not null,
    event_type      varchar(512) not null,
    occurred_at     timestamptz  not null,
    recorded_at     timestamptz  not null default clock_timestamp(),
    payload         jsonb        not null,
    metadata        jsonb        not null,
    text_bytes      integer      not null
        generated always as (octet_length(payload::text) + octet_length(metadata::text)) stored,
    constraint events_stream unique (tenant_id, stream_id, stream_version),
    constraint events_event unique (event_id, tenant_id)
);
comment on table events is
    'Every event of every stream, appended and never changed. The primary key serves relays and projectors that read '
    'in the order of positions; events_stream serves reading one stream by version and keeps versions single; '
    'events_event keeps a tenant from storing an event id twice and finds an event by its id, new ids of version 7 '
    'at its hot end. metadata holds source, key, correlationId, causationId and headers where an event has them. '
    'text_bytes is what payload and metadata have as texts: pages are cut by it before a text is made, since a few '
    'kilobytes of jsonb can be a gigabyte of text.';

create table snapshots (
    tenant_id  varchar(255) not null,
    stream_id  varchar(512) not null,
    state_type varchar(255) not null,
    version    bigint       not null,
    state      jsonb        not null,
    taken_at   timestamptz  not null default now(),
    primary key (tenant_id, stream_id, state_type)
);
comment on table snapshots is
    'The state a stream folds to at a version, one per kind of state: only a cache, it may be deleted at any time. The '
    'primary key serves loading a stream.';

create table relay_positions (
    relay_name        varchar(255) not null primary key,
    position          bigint       not null default 0,
    accepted_position bigint       not null default 0,
    seal_key          uuid         not null default gen_random_uuid(),
    refusals_changed  bigint       not null default 0,
    updated_at        timestamptz  not null default now()
);
comment on table relay_positions is
    'How far each relay is: every event it publishes up to "position" is confirmed by JetStream, or lies in '
    'relay_refusals. Up to accepted_position an operator has accepted that the stream and this table differ, as they do '
    'after this database was restored to an earlier point. seal_key makes the seal by which the relay knows its messages '
    'again: keep it from whoever may publish to the streams. refusals_changed counts what operators have done to '
    'relay_refusals, so that the relay need not look there for it.';

create table relay_streams (
    relay_name     varchar(255) not null,
    stream         varchar(255) not null,
    stream_created timestamptz  not null,
    last_sequence  bigint       not null,
    primary key (relay_name, stream)
);
comment on table relay_streams is
    'The last sequence of each JetStream stream that a relay has seen confirmed: a stream that ends before it has lost '
    'its tail. stream_created tells one incarnation of a stream from the next.';

create table relay_refusals (
    relay_name      varchar(255) not null,
    global_position bigint       not null,
    tenant_id       varchar(255) not null,
    stream_id       varchar(512) not null,
    event_id        uuid         not null,
    status          text         not null,
    reason          text         not null,
    subject         text,
    recorded_at     timestamptz  not null default now(),
    primary key (relay_name, global_position),
    constraint relay_refusals_status check (status in ('REFUSED', 'WAITING', 'HELD', 'RETRY'))
);
create index relay_refusals_stream on relay_refusals (relay_name, tenant_id, stream_id, global_position);
create index relay_refusals_open on relay_refusals (relay_name, tenant_id, stream_id, status) where status <> 'HELD';
create index relay_refusals_waiting on relay_refusals (relay_name, subject) where status = 'WAITING';
comment on table relay_refusals is
    'Events a relay could not publish (REFUSED), those whose subject no stream carries (WAITING), events of the same '
    'stream that wait behind one (HELD), and those to be published now (RETRY). A row goes when its event is published or given up. '
    'relay_refusals_stream serves the rows of one stream in order, relay_refusals_open the look which streams are '
    'stopped, without what is held there, relay_refusals_waiting the look for subjects that a stream carries now.';

create table projector_checkpoints (
    projector_name varchar(255) not null primary key,
    position       bigint       not null default 0,
    handed_out     bigint       not null default 0,
    clean_stop     boolean      not null default true,
    updated_at     timestamptz  not null default now()
) with (fillfactor = 50);
comment on table projector_checkpoints is
    'How far each projector that reads the event store is: every event up to "position" is settled, moved in the '
    'transaction of the events themselves. Up to handed_out handlers may have begun; clean_stop says that the last owner '
    'stopped in order.';

create table leases (
    lease_name  varchar(255) not null primary key,
    owner       text         not null,
    epoch       bigint       not null,
    acquired_at timestamptz  not null,
    expires_at  timestamptz  not null,
    duration_ms bigint       not null default 0,
    token       uuid         not null default gen_random_uuid()
) with (fillfactor = 50);
comment on table leases is
    'Which node owns a relay or a projector, by the clock of this database. The epoch grows with each new owner; the '
    'token is new with each, also where a database that was set back gives an epoch again. The owner renews expires_at; '
    'a lease that has expired is anybody''s, and so is one whose row nobody has changed for longer than duration_ms.';

create table lease_epochs (
    lease_name varchar(255) not null primary key,
    epoch      bigint       not null,
    token      uuid         not null default gen_random_uuid()
) with (fillfactor = 50);
comment on table lease_epochs is
    'The epoch and token of each lease, in a row of its own that transactions of the owner read "for share", so that a new owner '
    'waits for them and renewing does not.';
