-- What projectors keep beside their read models. Names carry no schema: the session's
-- search_path, or Flyway's default schema, decides. PostgreSQL 14 or later.
-- This file never changes once it is published; later versions add files.

create table processed_events (
    projector_name varchar(255) not null,
    event_id       uuid         not null,
    tenant_id      varchar(255) not null,
    processed_at   timestamptz  not null default now(),
    content_digest integer,
    primary key (projector_name, event_id, tenant_id)
);
comment on column processed_events.content_digest is
    'CRC-32C of the event''s type and payload, so that an event with a known id and other content can be counted. Null '
    'where the payload was edited by an operator.';
comment on table processed_events is
    'One row per event a projector has applied, committed together with its effects. The primary key is what makes '
    'a projector idempotent: it is the only index, because every event pays for each.';

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

create table schema_identity (
    one boolean not null primary key default true check (one),
    id  uuid    not null default gen_random_uuid()
);
comment on table schema_identity is
    'One row: a random id that tells these tables from those of another database. Durable consumers carry it, so that '
    'no two databases share one. It stays through failovers and restored backups; a copy of the data that lives on '
    'beside the first needs an id of its own: update schema_identity set id = gen_random_uuid().';
insert into schema_identity default values;

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
