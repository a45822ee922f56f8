-- What operators and redrives need of the dead letters. PostgreSQL 14 or later.
-- This file never changes once it is published; later versions add files.

-- letter_number orders the letters as they were parked; adding it rewrites the table once.
alter table dead_letters
    add column letter_number   bigint  not null generated always as identity,
    add column parking_key     text,
    add column redrive_id      uuid,
    add column redrives        integer not null default 0,
    add column redrive_runs    integer not null default 0,
    add column next_redrive_at timestamptz,
    add column edited_payload  bytea,
    add column closed_at       timestamptz;
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
create index dead_letters_unforwarded on dead_letters (letter_number) where forwarded_at is null;
-- Lists for operators, newest first, by any of these and all of them: where no other index finds few rows, conditions
-- are checked in the index itself, so that only rows of the page are read. Text from outside is cut, so that no letter
-- is too long for its index; an entry is 2,100 bytes at most.
create index dead_letters_list on dead_letters (letter_number, projector_name, tenant_id, status, dead_at,
    left(event_type, 100), left(error_class, 100), left(ordering_key, 100));
-- The same where few letters fit. Few of a projector and a tenant are found by dead_letters_event.
create index dead_letters_type on dead_letters (left(event_type, 100), letter_number);
create index dead_letters_error on dead_letters (left(error_class, 100), letter_number);
create index dead_letters_ordering on dead_letters (left(ordering_key, 100), letter_number);

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
