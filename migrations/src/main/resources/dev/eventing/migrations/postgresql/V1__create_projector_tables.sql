-- What projectors keep beside their read models. Names carry no schema: the session's
-- search_path, or Flyway's default schema, decides. PostgreSQL 14 or later.
-- This file never changes once it is published; later versions add files.

create table processed_events (
    projector_name varchar(255) not null,
    event_id       uuid         not null,
    tenant_id      varchar(255) not null,
    processed_at   timestamptz  not null default now(),
    primary key (projector_name, event_id, tenant_id)
);
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
    'attempt runs. Later events of the same ordering_key wait for them.';

-- The unique constraint also serves the claim of new events, which leaves out those that have an open letter: it
-- asks by (projector_name, tenant_id, event_id), so that a partial index over open letters would gain nothing.
create table dead_letters (
    letter_id       uuid         not null primary key,
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
    forwarded_at    timestamptz,
    constraint dead_letters_event unique (projector_name, tenant_id, event_id),
    constraint dead_letters_status check (status in ('PARKED', 'REDRIVING', 'RESOLVED', 'DISCARDED'))
);
comment on table dead_letters is
    'The ledger of events a projector could not apply, with all that is needed to look into them and to redrive '
    'them. tenant_id is empty when the tenant could not be told; headers maps each name to the array of its values; '
    'forwarded_at is null until the dead-letter stream has confirmed its copy.';

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
