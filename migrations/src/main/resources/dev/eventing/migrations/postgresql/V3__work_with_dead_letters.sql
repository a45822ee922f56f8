-- What operators and redrives need of the dead letters. PostgreSQL 14 or later.
-- This file never changes once it is published; later versions add files.

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
