-- All tables of the SDK. Names carry no schema: the session's search_path, or Flyway's default schema, decides.
-- PostgreSQL 14 or later.

-- ---- This database ----

create table schema_identity (
    one boolean not null primary key default true check (one),
    id  uuid    not null default gen_random_uuid()
);
comment on table schema_identity is
    'One row: a random id that tells these tables from those of another database. Durable consumers carry it, so that '
    'no two databases share one. It stays through failovers and restored backups; a copy of the data that lives on '
    'beside the first needs an id of its own: update schema_identity set id = gen_random_uuid().';
insert into schema_identity default values;

-- ---- Which node owns what ----

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
    'any node may take a lease that has expired, or one whose row has not changed for longer than duration_ms.';

create table lease_epochs (
    lease_name varchar(255) not null primary key,
    epoch      bigint       not null,
    token      uuid         not null default gen_random_uuid()
) with (fillfactor = 50);
comment on table lease_epochs is
    'The epoch and token of each lease, in a row of its own that transactions of the owner read "for share", so that a new owner '
    'waits for them and renewing does not.';

-- ---- The event store ----

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

-- ---- Relays: publish the event store to JetStream ----

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
    'stream that wait behind one (HELD), and those to be published now (RETRY). A row goes when its event is published '
    'or given up. '
    'relay_refusals_stream serves the rows of one stream in order, relay_refusals_open the look which streams are '
    'stopped, without what is held there, relay_refusals_waiting the look for subjects that a stream carries now.';

-- ---- Projectors: what they keep beside their read models ----

create table processed_events (
    projector_name varchar(255) not null,
    event_id       uuid         not null,
    tenant_id      varchar(255) not null,
    processed_at   timestamptz  not null default now(),
    content_digest integer,
    primary key (projector_name, event_id, tenant_id)
) with (autovacuum_vacuum_scale_factor = 0.05);
comment on column processed_events.content_digest is
    'CRC-32C of the event''s type and payload, so that an event with a known id and other content can be counted. Null '
    'where the payload was edited by an operator.';
comment on table processed_events is
    'One row per event a projector has applied, committed together with its effects. The primary key is what makes '
    'a projector idempotent: it is the only index, because every event pays for each. Pruning deletes a small part of the '
    'table at a time; the scale factor makes autovacuum free that space soon.';

create table projector_positions (
    projector_name varchar(255) not null,
    stream         varchar(255) not null,
    stream_created timestamptz  not null,
    floor          bigint       not null,
    clean_stop     boolean      not null default false,
    updated_at     timestamptz  not null default now(),
    primary key (projector_name, stream)
);
comment on table projector_positions is
    'How far each projector is: every one of its events up to the stream sequence "floor" is settled. stream_created '
    'tells one incarnation of a stream from the next; clean_stop says that the last owner stopped in order, so that '
    'no unacknowledged delivery had been begun.';

create table projector_coverage (
    projector_name varchar(255) not null,
    stream         varchar(255) not null,
    kind           text         not null,
    name           varchar(512) not null,
    passed_from    bigint,
    catching_up    boolean      not null default false,
    settled_to     bigint,
    primary key (projector_name, stream, kind, name),
    constraint projector_coverage_kind check (kind in ('SUBJECT', 'TYPE'))
);
comment on table projector_coverage is
    'Which subjects of a stream the versions of a projector listen to, and which event types were skipped. Events behind '
    'passed_from were passed over, for want of a handler; a version that has one begins there again. While it does so '
    '(catching_up) only these are handled up to settled_to. Deleting the row of a subject that no version listens to '
    'lets the durable leave it out.';

create table projector_attempts (
    projector_name   varchar(255) not null,
    tenant_id        varchar(255) not null,
    event_id         uuid         not null,
    ordering_key     text,
    attempts         integer      not null,
    first_attempt_at timestamptz  not null,
    last_attempt_at  timestamptz  not null,
    next_attempt_at  timestamptz,
    error_class      text,
    error_message    text,
    primary key (projector_name, event_id, tenant_id)
);
comment on table projector_attempts is
    'Events whose handler failed and will be tried again, with the attempts so far; next_attempt_at is null while an '
    'attempt runs. Later events of the same ordering_key wait for them. Rows with 0 attempts mark events that may have '
    'been under way when a process died.';

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

create table projector_prunings (
    projector_name varchar(255) not null primary key,
    stream         varchar(255),
    pruned_before  timestamptz  not null,
    retention      interval     not null,
    pruned_at      timestamptz  not null default now()
);
comment on table projector_prunings is
    'Up to when each projector has forgotten: of events stored before pruned_before nobody can tell any more whether it '
    'applied them, so they must not be given to it again. Written before rows of processed_events are deleted, which '
    'are those older than "retention" and out of reach of a redelivery. stream is the one it reads, null for the event '
    'store. Deleting a row here says that applying old events again is wanted.';

-- ---- Dead letters: events that a projector could not apply ----

-- The unique constraint also serves the claim of new events, which leaves out those that have an open letter: it
-- asks by (projector_name, tenant_id, event_id), so that a partial index over open letters would gain nothing.
create table dead_letters (
    letter_id       uuid         not null primary key,
    letter_number   bigint       not null generated always as identity,
    projector_name  varchar(255) not null,
    tenant_id       varchar(255) not null default '',
    event_id        uuid         not null,
    event_type      text,
    ordering_key    text,
    subject         text         not null,
    headers         jsonb        not null,
    payload         bytea        not null,
    stream          varchar(255) not null,
    stream_sequence bigint       not null,
    published_at    timestamptz  not null,
    reason          text         not null,
    error_class     text,
    error_message   text,
    stack_trace     text,
    attempts        integer      not null,
    first_failed_at timestamptz  not null,
    dead_at         timestamptz  not null default now(),
    status          text         not null default 'PARKED',
    closed_at       timestamptz,
    parking_key     text,
    redrive_id      uuid,
    redrives        integer      not null default 0,
    redrive_runs    integer      not null default 0,
    next_redrive_at timestamptz,
    edited_payload  bytea,
    forwarded_at    timestamptz,
    forward_refusal text,
    constraint dead_letters_event unique (projector_name, tenant_id, event_id),
    constraint dead_letters_status check (status in ('PARKED', 'REDRIVING', 'RESOLVED', 'DISCARDED'))
);
comment on table dead_letters is
    'The ledger of events a projector could not apply, with all that is needed to look into them and to redrive '
    'them. tenant_id is empty when the tenant could not be told; headers maps each name to the array of its values; '
    'forwarded_at is null until the dead-letter stream has confirmed its copy.';
comment on column dead_letters.letter_number is 'The order in which letters came, also within a key.';
comment on column dead_letters.parking_key is
    'Tenant and key that later events wait behind while this letter is open; null where no order is kept.';
comment on column dead_letters.redrive_id is 'The latest redrive the letter was part of.';
comment on column dead_letters.redrives is 'How often a redrive ran the handler.';
comment on column dead_letters.redrive_runs is
    'How often the present redrive began to run it and came to no end: more than 0 after a process died.';
comment on column dead_letters.next_redrive_at is 'When the projector redrives it by itself; null: only on request.';
comment on column dead_letters.edited_payload is 'What a redrive gives the handler in place of the payload.';
comment on column dead_letters.closed_at is 'When it was resolved or discarded.';
comment on column dead_letters.forward_refusal is
    'Why the dead-letter stream can never take its copy; null: it has it, or is going to get it. Set it to null to let '
    'the forwarder try again.';
-- "Is a letter of this key open, and which is the first?": parking behind it, redriving in order.
create index dead_letters_open_key on dead_letters (projector_name, parking_key, letter_number)
    where status in ('PARKED', 'REDRIVING') and parking_key is not null;
-- "What is to be redriven next?", by the projector; hardly ever more than a few rows.
create index dead_letters_redriving on dead_letters (projector_name, letter_number) where status = 'REDRIVING';
-- "Which letters redrive themselves now?"
create index dead_letters_due on dead_letters (projector_name, next_redrive_at)
    where status = 'PARKED' and next_redrive_at is not null;
-- "How far is this redrive?"
create index dead_letters_redrive on dead_letters (redrive_id, status) where redrive_id is not null;
-- "What has the dead-letter stream not got yet?"
create index dead_letters_unforwarded on dead_letters (letter_number)
    where forwarded_at is null and forward_refusal is null;
-- Lists for operators, newest first, by any of these and all of them: where no other index finds few rows, conditions
-- are checked in the index itself, so that only rows of the page are read. Text from outside is cut, so that no letter
-- is too long for its index; an entry is 2,100 bytes at most.
create index dead_letters_list on dead_letters (letter_number, projector_name, tenant_id, status, dead_at,
    left(event_type, 100), left(error_class, 100), left(ordering_key, 100));
-- The same where few letters fit. Few of a projector and a tenant are found by dead_letters_event.
create index dead_letters_type on dead_letters (left(event_type, 100), letter_number);
create index dead_letters_error on dead_letters (left(error_class, 100), letter_number);
create index dead_letters_ordering on dead_letters (left(ordering_key, 100), letter_number);

create table dead_letter_audit (
    audit_id  bigint      not null generated always as identity primary key,
    letter_id uuid        not null references dead_letters (letter_id) on delete cascade,
    at        timestamptz not null default now(),
    actor     text        not null,
    action    text        not null,
    detail    text
);
create index dead_letter_audit_letter on dead_letter_audit (letter_id);
comment on table dead_letter_audit is
    'Who did what to a dead letter, and when; rows are only ever added.';

create table dead_letter_redrives (
    redrive_id      uuid        not null primary key,
    requested_at    timestamptz not null default now(),
    actor           text        not null,
    tenant_id       varchar(255),
    selection       text        not null,
    letters         bigint      not null,
    rate_per_second integer
);
comment on table dead_letter_redrives is
    'Each request to redrive letters: who asked, for which, and how many letters that were with their followers. '
    'Letters point to it by redrive_id.';
