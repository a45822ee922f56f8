-- What pruning of processed_events leaves behind. PostgreSQL 14 or later.
-- This file never changes once it is published; later versions add files.

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

-- What is pruned is a small part of the table, and its space is wanted soon.
alter table processed_events set (autovacuum_vacuum_scale_factor = 0.05);
