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
    'Every event of every stream, appended and never changed, unless its contents are erased: then payload is {}, and '
    'metadata has "erased": true and the source only. The primary key serves relays and projectors that read '
    'in the order of positions; events_stream serves reading one stream by version and keeps versions single; '
    'events_event keeps a tenant from storing an event id twice and finds an event by its id, new ids of version 7 '
    'at its hot end. metadata holds source, key, correlationId, causationId and headers where an event has them. '
    'text_bytes is what payload and metadata have as texts: pages are cut by it before a text is made, since a few '
    'kilobytes of jsonb can be a gigabyte of text.';

create table snapshots (
    tenant_id    varchar(255) not null,
    stream_id    varchar(512) not null,
    state_type   varchar(255) not null,
    fold_version int          not null default 1,
    version      bigint       not null,
    state        jsonb        not null,
    taken_at     timestamptz  not null default now(),
    primary key (tenant_id, stream_id, state_type)
);
comment on table snapshots is
    'The state a stream folds to at a version, one per kind of state, of the version of the code that folded it last: only '
    'a cache, it may be deleted at any time. A row with an empty state_type is none: it has the version up to which the contents '
    'of the stream were erased, so that a state that was loaded before is not stored afterwards. Keep those. '
    'The primary key serves loading a stream.';

create table erasures (
    erasure_id bigint       not null generated always as identity primary key,
    at         timestamptz  not null default clock_timestamp(),
    tenant_id  varchar(255) not null,
    stream_id  varchar(512) not null,
    actor      text         not null,
    reason     text         not null,
    erased     jsonb        not null
);
comment on table erasures is
    'Who erased the contents of which stream, when and why; rows are only ever added. erased has what was erased and how '
    'much of it, and nothing of its contents. Relays count the rows once a second, and read the event store again if there is '
    'another one: what they have read before may be erased.';

-- ---- Relays: publish the event store to JetStream ----

create table relays (
    relay_name        varchar(255) not null primary key,
    accepted_position bigint       not null default 0,
    seal_key          uuid         not null default gen_random_uuid(),
    refusals_changed  bigint       not null default 0,
    subjects          text,
    categories        jsonb
);
comment on table relays is
    'One row per relay. It changes seldom, and is the lock for changes of the relay''s position and refusals. Up to '
    'accepted_position an operator has accepted that the stream and the event store differ, as they do after this '
    'database was restored to an earlier point. seal_key makes the seal by which the relay knows its messages again: keep '
    'it from whoever may publish to the streams. refusals_changed counts what operators have done to relay_refusals, so '
    'that the relay need not look there for it. subjects is the pattern of the subjects that it publishes to. categories has '
    'the categories that it publishes, "" for all others, each with the position up to which it has passed over their events, '
    'because it had read them when the category was added; 0 if it has not. It is null until the relay first begins.';

create table relay_positions (
    relay_name varchar(255) not null,
    revision   bigint       not null default 0,
    position   bigint       not null default 0,
    updated_at timestamptz  not null default now(),
    primary key (relay_name, revision)
);
comment on table relay_positions is
    'How far each relay is, one row per relay: every event it publishes up to "position" is confirmed by JetStream, or '
    'lies in relay_refusals. Each change deletes the row and inserts one with the next revision. Readers take the highest '
    'revision, at the end of the primary key: rows that PostgreSQL must keep for an old snapshot lie before it, and slow '
    'nobody down.';

create table relay_streams (
    relay_name     varchar(255) not null,
    stream         varchar(255) not null,
    stream_created timestamptz  not null,
    last_sequence  bigint       not null,
    given_again    bigint,
    primary key (relay_name, stream)
);
comment on table relay_streams is
    'The last sequence of each JetStream stream that a relay has seen confirmed: a stream that ends before it has lost '
    'its tail. stream_created tells one incarnation of a stream from the next. given_again is the first sequence that the '
    'stream was seen to give again, until the relay has compared it.';

create table relay_refusals (
    relay_name      varchar(255) not null,
    global_position bigint       not null,
    tenant_id       varchar(255) not null,
    stream_id       varchar(512) not null,
    event_id        uuid         not null,
    status          text         not null,
    reason          text         not null,
    subject         text,
    place           text,
    recorded_at     timestamptz  not null default now(),
    primary key (relay_name, global_position),
    constraint relay_refusals_status check (status in ('REFUSED', 'WAITING', 'HELD', 'RETRY'))
);
create index relay_refusals_stream on relay_refusals (relay_name, tenant_id, stream_id, global_position);
create index relay_refusals_open on relay_refusals (relay_name, tenant_id, stream_id, status) where status <> 'HELD';
create index relay_refusals_waiting on relay_refusals (relay_name, subject) where status = 'WAITING';
create index relay_refusals_place on relay_refusals (relay_name, place, global_position) where place is not null;
comment on table relay_refusals is
    'Events a relay could not publish (REFUSED), those that nothing takes now (WAITING): no stream carries the subject, '
    'or the place, a stream or subject of JetStream, is full or denied; events of the same stream that wait behind one '
    '(HELD), and those to be published now (RETRY). A row goes when its event is published or given up. '
    'relay_refusals_stream serves the rows of one stream in order, relay_refusals_open the look which streams are '
    'stopped, without what is held there, relay_refusals_waiting the look for subjects that a stream carries now, '
    'relay_refusals_place the look for places to try.';

create table relay_late_events (
    relay_name      varchar(255) not null,
    global_position bigint       not null,
    tenant_id       varchar(255) not null,
    stream_id       varchar(512) not null,
    event_id        uuid         not null,
    stream          varchar(255) not null,
    stream_created  timestamptz  not null,
    sequence        bigint       not null,
    published_at    timestamptz  not null default now(),
    primary key (relay_name, global_position)
);
create index relay_late_events_lost on relay_late_events (relay_name, stream, sequence);
create index relay_late_events_old on relay_late_events (relay_name, published_at);
comment on table relay_late_events is
    'Events that had a row in relay_refusals and are published, for a day: later than events of higher positions. "stream", '
    'stream_created and sequence tell where JetStream has them. If that stream loses its end, the relay goes back by positions, which would '
    'not reach them, and publishes those of these rows that were lost. relay_late_events_lost serves that, and '
    'relay_late_events_old the removal after a day.';

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
    store_position bigint,
    store_refused  bigint[]     not null default '{}',
    primary key (projector_name, stream)
);
comment on table projector_positions is
    'How far each projector is: every one of its events up to the stream sequence "floor" is settled. stream_created '
    'tells one incarnation of a stream from the next; clean_stop says that the last owner stopped in order, so that '
    'no unacknowledged delivery had been begun. Where relays of this database publish to the stream, all events of the '
    'event store up to store_position are settled, too, but those at store_refused, which a relay could not publish when '
    'it had this position. store_position is null while that is not known.';

create table projector_coverage (
    projector_name varchar(255) not null,
    stream         varchar(255) not null,
    kind           text         not null,
    name           varchar(512) not null,
    passed_from    bigint,
    catching_up    boolean      not null default false,
    settled_to     bigint,
    primary key (projector_name, stream, kind, name),
    constraint projector_coverage_kind check (kind in ('SUBJECT', 'TYPE', 'HANDLED'))
);
comment on table projector_coverage is
    'Which subjects of a stream the versions of a projector listen to, and which event types were skipped. Events behind '
    'passed_from were passed over, for want of a handler; a version that has one begins there again. While it does so '
    '(catching_up) only these are handled up to settled_to. Deleting the row of a subject that no version listens to '
    'lets the durable leave it out. A row of the kind HANDLED names a type that a version has a handler for: up to '
    'passed_from no version has handled an event of it.';

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
    projector_name varchar(255) not null,
    revision       bigint       not null default 0,
    position       bigint       not null default 0,
    updated_at     timestamptz  not null default now(),
    primary key (projector_name, revision)
);
comment on table projector_checkpoints is
    'How far each projector that reads the event store is, one row per projector: every event up to "position" is '
    'settled, moved in the transaction of the events themselves. Each change deletes the row and inserts one with the '
    'next revision. Readers take the highest revision, at the end of the primary key: rows that PostgreSQL must keep for '
    'an old snapshot lie before it, and slow nobody down.';

create table projector_handouts (
    projector_name varchar(255) not null,
    revision       bigint       not null default 0,
    handed_out     bigint       not null default 0,
    clean_stop     boolean      not null default true,
    updated_at     timestamptz  not null default now(),
    primary key (projector_name, revision)
);
comment on table projector_handouts is
    'Up to which position the handlers of each projector that reads the event store may have begun events, one row per '
    'projector; clean_stop says that the last owner stopped in order. Rows are replaced as in projector_checkpoints; they '
    'are apart from it because other transactions write them, at the same time.';

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

-- ---- Projectors: which node runs what, and what operators decided ----

create table projector_nodes (
    projector_name varchar(255)     not null,
    node           text             not null,
    version        integer          not null default 1,
    scripted       boolean          not null default false,
    state          text             not null,
    detail         text             not null default '',
    behind_events  bigint,
    behind_seconds double precision,
    reported_at    timestamptz      not null default clock_timestamp(),
    primary key (projector_name, node)
) with (fillfactor = 50);
comment on table projector_nodes is
    'What each node runs, as it said at reported_at: it says so every 5 s, and when a state has changed. node is the name '
    'by which leases name their owner. scripted: a script creates the tables of that version. behind_events and behind_seconds are null where the node does not know. A node that stops in order deletes its '
    'rows; those of one that died are deleted by another after a minute. The fill factor leaves room for updates in place.';

create table projector_controls (
    projector_name varchar(255) not null primary key,
    paused         boolean      not null,
    actor          text         not null,
    reason         text,
    changed_at     timestamptz  not null default clock_timestamp()
);
comment on table projector_controls is
    'What operators decided about each projector, on whichever node it runs, now and after restarts. Nodes look here every '
    'second, and before a projector takes its first event. A projector without a row is not paused.';

create table projections (
    projection_name varchar(255) not null,
    generation      integer      not null,
    status          text         not null,
    definition      text         not null,
    version         integer      not null,
    filled_to       bigint,
    schema_name     varchar(63),
    script          text,
    tables          text[]       not null default '{}',
    rate            integer,
    max_bytes       bigint,
    failure         text,
    stream          varchar(255),
    stream_created  timestamptz,
    note            text,
    no_rollback     text,
    begun_at        timestamptz  not null default clock_timestamp(),
    live_at         timestamptz,
    retired_at      timestamptz,
    live_schema     varchar(63),
    live_transaction bigint,
    hold_at         bigint,
    hold_until      timestamptz,
    live_epoch      bigint       not null default 1,
    live_server     varchar(63),
    primary key (projection_name, generation),
    constraint projections_generation check (generation > 0),
    constraint projections_status
        check (status in ('FILLING', 'LIVE', 'BUILDING', 'READY', 'PAST', 'STANDBY', 'STALE', 'FAILED', 'RETIRED'))
);
create unique index projections_current on projections (projection_name) where status in ('FILLING', 'LIVE');
create unique index projections_beside on projections (projection_name)
    where status in ('BUILDING', 'READY', 'PAST', 'STANDBY', 'STALE', 'FAILED');
comment on table projections is
    'Each filling of a projector''s read model from events; the first begins when a node first runs the projector. FILLING: '
    'the read model was emptied and is filled from events up to the position filled_to, readers see less than they saw. Then '
    'it is LIVE, and the projector goes on after filled_to as before. BUILDING: it is filled beside the live one, in the '
    'tables of schema_name, and READY once it has met the end of the event store. STANDBY: it was live, and is still fed. '
    'PAST: it shows the read model as it was at the position filled_to, is not fed, and never becomes live; while it is filled '
    'up to there it is BUILDING, with its filled_to. '
    'STALE: it was live, and is not fed any more. FAILED: it cannot go on, for the reason in failure. version is that of the '
    'code, and only code of that version feeds it; definition is what that code handles. live_schema: where the owner found the '
    'tables of the live one. script is the checksum of the script that created its tables; null if they were copied. '
    'While a generation is filled, or fed beside the live one, from a stream of JetStream and not from the event store, '
    'stream names it, and stream_created tells its incarnations apart. '
    'rate is the most events that it reads in a second, and max_bytes the most that its tables may take, while it is BUILDING. '
    'note is what operators should know of it, such as tables that its handlers read and that are not its own. '
    'no_rollback is why a STANDBY cannot become live again as things are; null if nothing is known to stand in the way. '
    'live_transaction is the transaction of the switch that made it live: what earlier ones claimed in processed_events, the '
    'generation that was live before has applied, too. No clock says that. '
    'hold_at: until hold_until neither the generation nor the live one reads the event store beyond this position, so that both '
    'can be compared. '
    'projections_current keeps the current generation single, and projections_beside the one beside it. '
    'live_epoch grows with each switch, roll back and rebuild, by the trigger projections_live_epoch: subscribers of live views '
    'compare it. live_server is the start of the server, the database and the file of projection_snapshots, when the owner looked last: with '
    'another one states may be older than those that subscribers have, so live_epoch grows, too.';

create function next_live_epoch() returns trigger language plpgsql as $$
begin
    -- callers have any search_path
    execute format('select coalesce(max(live_epoch), 0) + 1 from %I.projections where projection_name = $1', tg_table_schema)
       into new.live_epoch using new.projection_name;
    return new;
end
$$;
create trigger projections_begun before insert on projections
    for each row when (new.status in ('FILLING', 'LIVE')) execute function next_live_epoch();
create trigger projections_live_epoch before update on projections
    for each row when (new.status in ('FILLING', 'LIVE')
                       and (old.status <> new.status or old.begun_at <> new.begun_at)) execute function next_live_epoch();

create table projection_ownership (
    projection_name varchar(255) not null,
    version         integer      not null,
    table_name      varchar(255) not null,
    tenant_column   varchar(63)  not null,
    stream_column   varchar(63)  not null,
    stream_prefix   varchar(255) not null default '',
    primary key (projection_name, version, table_name)
);
comment on table projection_ownership is
    'Which rows of a read model belong to which stream, as each version of its projector declares: those whose tenant_column is the '
    'tenant, and whose stream_column is the stream id without stream_prefix. An erasure deletes these rows.';

create table projection_lanes (
    projection_name varchar(255) not null,
    generation      integer      not null,
    lane            integer      not null,
    revision        bigint       not null default 0,
    position        bigint       not null default 0,
    primary key (projection_name, generation, lane, revision)
);
comment on table projection_lanes is
    'How far each lane has filled a generation. The row moves in the transaction that applies the lane''s events, which are '
    'applied in the order of positions: so no event needs a claim in processed_events. A change replaces the row by one with '
    'the next revision. The rows are deleted when the generation is filled.';

create table projection_claims (
    projection_name varchar(255) not null,
    generation      integer      not null,
    event_id        uuid         not null,
    tenant_id       varchar(255) not null,
    primary key (projection_name, generation, event_id, tenant_id)
) with (autovacuum_vacuum_scale_factor = 0.05);
comment on table projection_claims is
    'One row per event that a generation has applied from a stream, while it is filled or fed beside the live one: a stream '
    'may hold an event twice, under two sequences. The rows are deleted when the generation is filled, live or retired.';

create table projection_inline (
    projection_name varchar(255) not null primary key,
    mode            text         not null default 'FOLLOWING',
    code            text         not null,
    handled         text         not null default '',
    turn            bigint       not null default 0,
    from_position   bigint,
    to_position     bigint,
    demoted         boolean      not null default false,
    changed_at      timestamptz  not null default clock_timestamp(),
    constraint projection_inline_mode check (mode in ('FOLLOWING', 'INLINE'))
);
comment on table projection_inline is
    'One row per inline projector. INLINE: the handlers of "code" run in the transactions that append; code is a digest of '
    'what they handle, which "handled" has in lines of a subject and a type. FOLLOWING: the projector reads the event store. '
    'Events after from_position, and while it is FOLLOWING up to to_position, were applied by the transactions that appended '
    'them, but those in projection_skips. turn counts how often it became inline. demoted: an operator keeps it from that, and '
    'appends skip it at once. All but that changes only under the exclusive advisory lock whose shared form each append keeps '
    'until its commit.';
-- Gets another number, at random, with each change of what the guard of appends has to know.
create sequence inline_changes owned by projection_inline.turn;

create table projection_skips (
    projection_name varchar(255) not null,
    global_position bigint       not null,
    primary key (projection_name, global_position)
) with (autovacuum_vacuum_scale_factor = 0.05);
comment on table projection_skips is
    'The events that an inline projection should have applied in the transaction that appended them, and that it did not. '
    'While a projector has one, appends skip it. Its owner applies them, and deletes the rows when the read model has all events. '
    'The primary key serves the look for the last one after from_position, and the rows of a page. The look goes backwards: '
    'so it passes no rows that are gone, which an old snapshot may keep for long.';

create table projection_effects (
    projection_name varchar(255) not null,
    event_id        uuid         not null,
    tenant_id       varchar(255) not null,
    generation      integer      not null,
    n               integer      not null,
    state           text         not null,
    sequence        bigint,
    effect_id       uuid,
    stream_id       varchar(512),
    event_type      varchar(512),
    occurred_at     timestamptz,
    payload         jsonb,
    metadata        jsonb,
    primary key (projection_name, event_id, tenant_id, generation, n),
    constraint projection_effects_state check (state in ('STORED', 'DUE', 'OWED', 'SETTLED')),
    constraint projection_effects_content check ((state in ('STORED', 'DUE')) = (effect_id is not null))
);
create index projection_effects_stored on projection_effects (projection_name, generation, sequence) where state = 'STORED';
create index projection_effects_due on projection_effects (projection_name, sequence, n) where state = 'DUE';
comment on table projection_effects is
    'What is still to be decided about the effects of handlers: events that they append to the event store. event_id and '
    'tenant_id name the event that was handled, and sequence its place. STORED: a generation that is not live has caused '
    'the n-th effect of an event that the live one had not applied. DUE: a switch has found that the former generation has '
    'still not applied the event; the owner of the live one appends the effect, and deletes the row. OWED: a rebuild in place '
    'has closed the letter of the event, whose effects have not been. SETTLED: the event has a letter in the live generation, '
    'and a former one has applied it, so a redrive causes nothing. The last two have generation 0 and n 0, and no content. '
    'The primary key serves the look before an append; projection_effects_stored what is deleted because the live generation '
    'has applied its event, and projection_effects_due what is appended after a switch.';

create table projection_requests (
    request_id      bigint       not null generated always as identity primary key,
    projection_name varchar(255) not null,
    action          text         not null,
    generation      integer,
    status          text         not null default 'PENDING',
    actor           text         not null,
    reason          text         not null,
    requested_at    timestamptz  not null default clock_timestamp(),
    expires_at      timestamptz  not null,
    ended_at        timestamptz,
    detail          text,
    hold_at         bigint,
    hold_until      timestamptz,
    held_at         bigint,
    held_epoch      bigint,
    unchecked       boolean      not null default false,
    accepts_lost_columns boolean not null default false,
    schema_name     varchar(63),
    rate            integer,
    max_bytes       bigint,
    until_position  bigint,
    until_time      timestamptz,
    ddl_role        text,
    ddl_schemas     text[],
    types           text[],
    handler         text,
    begun_at        timestamptz,
    scope_kind      text,
    scope_tenant    varchar(255),
    scope_names     text[],
    scope_from      timestamptz,
    scope_to        timestamptz,
    most_events     integer,
    constraint projection_requests_action check (action in
        ('REBUILD_IN_PLACE', 'REBUILD_SCOPE', 'REBUILD_BESIDE', 'SWITCH', 'RETIRE', 'ADOPT', 'BACKFILL')),
    constraint projection_requests_scope
        check (action <> 'REBUILD_SCOPE' or scope_kind in ('STREAMS', 'LETTERS', 'TENANT', 'WINDOW')),
    constraint projection_requests_status check (status in ('PENDING', 'DONE', 'FAILED', 'CANCELLED', 'EXPIRED'))
);
create unique index projection_requests_open on projection_requests (projection_name) where status = 'PENDING';
create index projection_requests_name on projection_requests (projection_name, request_id);
comment on table projection_requests is
    'What operators asked for. A node does it, in one transaction with the end of the request. Nobody does it after '
    'expires_at. detail says what it waits for, why it failed, or what was done. For a switch the owner of the live '
    'generation holds it until hold_until, as soon as it has reached hold_at: held_at is where, and held_epoch the epoch of '
    'its lease. unchecked: the switch is made whatever the checks of the projector find. accepts_lost_columns: it is made although '
    'readers lose columns. schema_name: where the live tables are to lie. '
    'rate and max_bytes are the limits of a build beside the live generation. '
    'until_position, or until_time by recorded_at of the events, is where a build ends that shows the read model as it was. '
    'ddl_role is the role of the application while it lacks rights that the request needs, also to ddl_schemas. '
    'scope_kind and what follows it name the part of the read model that is rebuilt: scope_names are streams, or the ids of '
    'letters; a window is from scope_from to before scope_to. most_events is the most that one transaction applies. '
    'types and handler say what a backfill applies, up to until_position at most; it is under way since begun_at, and does '
    'not expire from then on. '
    'projection_requests_open refuses a second request of a projector while one waits, and serves the look for requests.';

create table projection_backfills (
    request_id      bigint       not null primary key,
    projection_name varchar(255) not null,
    types           text[]       not null,
    from_position   bigint       not null,
    up_to           bigint       not null,
    held_from       bigint       not null,
    position        bigint       not null,
    handed_out      bigint       not null,
    events          bigint       not null default 0,
    updated_at      timestamptz  not null default clock_timestamp()
);
comment on table projection_backfills is
    'The backfills that have begun, by the number of their request. Events of "types" after from_position and up to up_to are '
    'applied to the live read model: those that the projector has not claimed, or all, if the request names a handler. Up to '
    '"position" they are settled, "events" of them; handlers may have begun events up to handed_out. The live generation had settled '
    'everything up to held_from when the backfill began. It takes no later event of the types before the backfill has ended, '
    'so that no event is overtaken.';

create table projection_backfill_events (
    request_id      bigint not null,
    global_position bigint not null,
    primary key (request_id, global_position)
) with (autovacuum_vacuum_scale_factor = 0.05);
comment on table projection_backfill_events is
    'The events after the position of a backfill that are settled already, if its request names a handler: the claims of the '
    'projector do not tell that. Inserted in the transaction that applies the event, and deleted when the position has passed it.';

create table projection_audit (
    audit_id        bigint       not null generated always as identity primary key,
    projection_name varchar(255) not null,
    generation      integer,
    at              timestamptz  not null default clock_timestamp(),
    actor           text         not null,
    action          text         not null,
    reason          text,
    detail          text
);
create index projection_audit_name on projection_audit (projection_name, audit_id);
comment on table projection_audit is
    'Who did what to a projector, and when; rows are only ever added. generation is null where all generations are meant. '
    'An erasure replaces details that may quote an event.';

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
    mended_tenant_id varchar(255),
    mended_event_id uuid,
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
comment on column dead_letters.mended_event_id is
    'The event that was applied in place of a message without a tenant, with mended_tenant_id: by a redrive, from the edited '
    'payload, or, as a switch notes, because it came again by itself. Null if a redrive found it applied before.';
comment on column dead_letters.closed_at is 'When it was resolved or discarded.';
comment on column dead_letters.forward_refusal is
    'Why the dead-letter stream can never take its copy; null: it has it, or is going to get it. Set it to null to let '
    'the forwarder try again.';
-- The order of letters depends on their numbers. An expression, so that no list is read by this index instead of by one
-- that also has what the list filters by.
create unique index dead_letters_number on dead_letters ((letter_number + 0));
-- "Is a letter of this key open, and which is the first?": parking behind it, redriving in order.
create index dead_letters_open_key on dead_letters (projector_name, parking_key, letter_number)
    where status in ('PARKED', 'REDRIVING') and parking_key is not null;
-- "Which redrives has the projector, and what comes next in each?" One may wait for its rate while the others go on.
create index dead_letters_redriving on dead_letters (projector_name, redrive_id, letter_number) where status = 'REDRIVING';
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

-- ---- Reconciliations: is a read model what its events say? ----

create table projector_beginnings (
    projector_name varchar(255) not null primary key,
    position       bigint       not null
);
comment on table projector_beginnings is
    'The position in the event store after which a projector began that was to take new events only. It has applied none '
    'before. A projector without a row began at the first event, as does one whose read model was rebuilt.';

create table projection_checks (
    check_id       bigint       not null generated always as identity primary key,
    projector_name varchar(255) not null,
    check_name     varchar(255) not null,
    at             timestamptz  not null default clock_timestamp(),
    duration_ms    bigint       not null,
    actor          text         not null,
    generation     integer,
    position       bigint,
    differences    bigint,
    sample         jsonb,
    error          text,
    constraint projection_checks_answer check ((differences is null) = (error is not null))
);
create index projection_checks_name on projection_checks (projector_name, check_name, check_id);
comment on table projection_checks is
    'What reconciliations found. A run has compared the read model with the events that the projector had applied up to '
    'position, and counted the rows that differ; sample has the first of them. error says why a run has no answer, which '
    'is no difference. generation is that of a read model beside the live one, before a switch; null for the live one. The last '
    '100 runs of each check are kept.';

create table projection_check_requests (
    request_id     uuid         not null,
    check_name     varchar(255) not null default '',
    projector_name varchar(255) not null,
    generation     integer,
    actor          text         not null,
    requested_at   timestamptz  not null default clock_timestamp(),
    expires_at     timestamptz  not null,
    taken_at       timestamptz,
    check_id       bigint,
    primary key (request_id, check_name)
);
create index projection_check_requests_open on projection_check_requests (projector_name) where check_id is null;
comment on table projection_check_requests is
    'Which checks operators want to be run once. A row without a name means all checks of the projector: a node that has '
    'some puts one row for each in its place. generation is that of a read model beside the live one; null for the live one. '
    'taken_at is when a node with the check has met the row; the one that has the '
    'check''s lease runs it. check_id is the result; until then any node runs it, but none begins after expires_at. Rows go '
    'a day after that, when the next ones come.';

-- ---- Live views ----

create table projection_snapshots (
    projection_name varchar(255) not null,
    generation      integer      not null,
    tenant_id       varchar(255) not null,
    key             text         not null collate "C",
    state           jsonb        not null,
    version         bigint       not null,
    updated_at      timestamptz  not null default clock_timestamp(),
    primary key (projection_name, generation, tenant_id, key),
    constraint projection_snapshots_version check (version > 0)
);
comment on table projection_snapshots is
    'The states of live views, one per tenant and key, in each generation of the view: which of them readers see is in '
    'projections. version is the number of changes of the state. The primary key serves reading states and pages of keys.';

-- Its names carry the schema of these tables, whatever the search_path of its callers is. It has no settings of its own and
-- is one query, so PostgreSQL puts it into the calling query like a view, with the conditions of that query.
-- "exists (...) is not true" keeps the look-ups of letters from being planned as joins: statistics know nothing of letters that
-- came within the last minute, and a join that expects one of them compared 6,000 with each of 60,000 events (18 s; now 0.2 s).
-- So each is one hash table, or an index scan per event. "offset 0" does the same for claims, of which few events need one.
do $do$
declare
    -- The places of a projector that has changed its source; the later one counts.
    place text := format($place$
           ((select c.position, c.updated_at, '{}'::bigint[] as refused
               from %1$I.projector_checkpoints c
              where c.projector_name = projector order by c.revision desc limit 1)
            union all
            (select p.store_position, p.updated_at, p.store_refused
               from %1$I.projector_positions p
              where p.projector_name = projector order by p.updated_at desc limit 1)
            order by updated_at desc limit 1) place$place$, current_schema());
    -- The payload an operator gave the event; with it, the event was applied.
    payload text := format($payload$
           case when exists (select from %1$I.dead_letters d
                              where d.projector_name = projector and d.tenant_id = e.tenant_id and d.event_id = e.event_id
                                and d.status = 'RESOLVED' and d.edited_payload is not null)
                then (select convert_from(d.edited_payload, 'UTF8')::jsonb from %1$I.dead_letters d
                       where d.projector_name = projector and d.tenant_id = e.tenant_id and d.event_id = e.event_id)
                else e.payload end$payload$, current_schema());
    -- The stream that the generation is fed from; null if it is fed from the event store.
    stream text := format($stream$
           (select p.stream from %1$I.projections p
             where p.projection_name = projector
               and p.projection_name || '#' || p.generation = current_setting('eventing.generation', true))$stream$,
           current_schema());
begin
execute format($format$
create function %1$I.applied_events(projector text) returns setof %1$I.events language sql stable as $body$
    select e.global_position, e.event_id, e.tenant_id, e.stream_id, e.stream_version, e.event_type, e.occurred_at,
           e.recorded_at,%3$s, e.metadata, e.text_bytes
      from (select settled.*
              from %1$I.events settled
             where settled.global_position <= (select place.position from %2$s)
               and settled.global_position > coalesce((select b.position from %1$I.projector_beginnings b
                                                        where b.projector_name = projector), 0)
               and settled.global_position <> all (coalesce((select place.refused from %2$s), '{}'))
            union all
            select ahead.*
              from %1$I.events ahead
             where ahead.global_position > (select place.position from %2$s)
               and (exists (select from %1$I.processed_events p
                             where p.projector_name = projector and p.event_id = ahead.event_id
                               and p.tenant_id = ahead.tenant_id offset 0)
                    or exists (select from %1$I.projection_inline i
                                where i.projection_name = projector and ahead.global_position > i.from_position
                                  and (i.mode = 'INLINE' or ahead.global_position <= i.to_position) offset 0)
                   and exists (select from %1$I.projection_skips s
                                where s.projection_name = projector and s.global_position = ahead.global_position
                                offset 0) is not true)
            union all
            select late.*
              from %1$I.events late
             where late.global_position = any ((select place.refused from %2$s)::bigint[])
               and exists (select from %1$I.processed_events p
                            where p.projector_name = projector and p.event_id = late.event_id
                              and p.tenant_id = late.tenant_id offset 0)) e
     where e.metadata -> 'erased' is null
       and exists (select from %1$I.dead_letters d
                    where d.projector_name = projector and d.tenant_id = e.tenant_id and d.event_id = e.event_id
                      and d.status in ('PARKED', 'REDRIVING', 'DISCARDED')) is not true
       and exists (select from %1$I.dead_letters d
                    where d.projector_name = projector and d.tenant_id = '' and d.stream = 'event-store'
                      and d.stream_sequence = e.global_position
                      and d.status in ('PARKED', 'REDRIVING', 'DISCARDED')) is not true
       and split_part(coalesce(current_setting('eventing.generation', true), ''), '#', 1) <> projector
    union all
    select e.global_position, e.event_id, e.tenant_id, e.stream_id, e.stream_version, e.event_type, e.occurred_at,
           e.recorded_at,%3$s, e.metadata, e.text_bytes
      from %1$I.events e
     where split_part(coalesce(current_setting('eventing.generation', true), ''), '#', 1) = projector
       and %4$s is null
       and e.metadata -> 'erased' is null
       and e.global_position <= (select c.position from %1$I.projector_checkpoints c
                                  where c.projector_name = current_setting('eventing.generation', true)
                                  order by c.revision desc limit 1)
       and exists (select from %1$I.dead_letters d
                    where d.projector_name = current_setting('eventing.generation', true)
                      and d.tenant_id = e.tenant_id and d.event_id = e.event_id
                      and d.status in ('PARKED', 'REDRIVING', 'DISCARDED')) is not true
       and exists (select from %1$I.dead_letters d
                    where d.projector_name = projector and d.tenant_id = e.tenant_id and d.event_id = e.event_id
                      and d.status = 'DISCARDED') is not true
       and exists (select from %1$I.dead_letters d
                    where d.projector_name in (projector, current_setting('eventing.generation', true))
                      and d.tenant_id = '' and d.stream = 'event-store' and d.stream_sequence = e.global_position
                      and (d.status = 'DISCARDED'
                           or d.status in ('PARKED', 'REDRIVING')
                          and d.projector_name = current_setting('eventing.generation', true))) is not true
    union all
    select e.global_position, e.event_id, e.tenant_id, e.stream_id, e.stream_version, e.event_type, e.occurred_at,
           e.recorded_at,%3$s, e.metadata, e.text_bytes
      from %1$I.projection_claims c
      join %1$I.events e on e.event_id = c.event_id and e.tenant_id = c.tenant_id
     where split_part(coalesce(current_setting('eventing.generation', true), ''), '#', 1) = projector
       and %4$s is not null
       and e.metadata -> 'erased' is null
       and c.projection_name = projector
       and c.generation = nullif(split_part(current_setting('eventing.generation', true), '#', 2), '')::integer
       and exists (select from %1$I.dead_letters d
                    where d.projector_name = current_setting('eventing.generation', true)
                      and d.tenant_id = e.tenant_id and d.event_id = e.event_id
                      and d.status in ('PARKED', 'REDRIVING', 'DISCARDED')) is not true
       and exists (select from %1$I.dead_letters d
                    where d.projector_name = projector and d.tenant_id = e.tenant_id and d.event_id = e.event_id
                      and d.status = 'DISCARDED') is not true
$body$
$format$, current_schema(), place, payload, stream);
end $do$;
comment on function applied_events(text) is
    'The events of the event store that a projector has applied, at the moment of the calling statement: those up to its '
    'checkpoint, or to its store_position if it reads a stream, and later ones, and those a relay could not publish, that '
    'it has claimed or an append has applied; without those that have an open or a discarded dead letter. '
    'payload is the edited one where an operator edited it. Events whose contents were erased are not returned. Events that no handler takes count as applied: select the types. '
    'While the setting eventing.generation is the name of a generation of the projector beside the live one, such as totals#2, '
    'the function returns the events of that one: up to its checkpoint, an answer only if none of its lanes is further; or, '
    'if it is fed from a stream, those that it has claimed. '
    'There is no answer while the read model is being filled, or events of new handlers are read again.';

-- Called in the statement of an append that may run inline handlers, with the codes that its node knows. Returns those to run,
-- each with its turn. It waits for a projection that turns inline or ceases to be. Its statements have snapshots of their own at read
-- committed; at other levels it returns '*', and the append must roll back. Names carry the schema.
--
-- To read the tables costs more than all else here, so a session remembers the last answer that leaves nothing out, with the number
-- of the last change. It may, if no change was under way when the tables were read: a transaction that changes them locks first,
-- sets a number then, and keeps the lock until others see its change. So the number is read first, then the locks, then the tables.
-- And only if the triggers are there that do so: the owner of a projector looks for them, and sets a number if one is not. What it
-- changes itself, it does with a number, too. Numbers are random, because a script or a crash may bring one back. A role that may not
-- see the number gets null from PostgreSQL 18 on, and remembers nothing. A standby does not see the locks.
do $do$
declare
    changing constant text := hashtextextended(current_schema() || '.inline_changes', 0);
    sequence constant text := format('%I.inline_changes', current_schema());
begin
-- The one place of the key. The name of the schema tells two of one database apart.
execute format($format$
create function %1$I.inline_lock() returns bigint language sql immutable as $body$ select %2$s::bigint $body$
$format$, current_schema(), hashtextextended(current_schema() || '.projection_inline', 0));
execute format($format$
create function %1$I.inline_guard(known text[]) returns text language plpgsql as $body$
declare
    change bigint;
    remembered text;
    named text;
    answer text;
    marks text;
    all_run boolean;
    locked boolean;
begin
    if current_setting('transaction_isolation') not in ('read committed', 'read uncommitted') then
        marks := set_config('eventing.inline', '*', true);
        return '*';
    end if;
    -- An assignment: it costs less than a statement.
    locked := pg_advisory_xact_lock_shared(%1$I.inline_lock()) is null;
    change := pg_sequence_last_value(%2$L);
    named := %2$L || ' ' || change || ' ' || array_to_string(known, ',') || '|';
    remembered := current_setting('eventing.answer', true);
    if starts_with(remembered, named) then
        marks := set_config('eventing.inline', '=', true);
        return nullif(substr(remembered, length(named) + 1), '');
    end if;
    for look in 1 .. 2 loop
        select string_agg(p.code || ':' || p.turn, ',') filter (where p.runs),
               string_agg(p.code, ',') filter (where p.runs),
               coalesce(bool_and(p.runs or p.rests), true)
          into answer, marks, all_run
          from (select i.code, i.turn, i.mode = 'FOLLOWING' and i.to_position is null as rests,
                       i.mode = 'INLINE' and not i.demoted and i.code = any (known)
                       and (select s.global_position from %1$I.projection_skips s
                             where s.projection_name = i.projection_name and s.global_position > i.from_position
                             order by s.global_position desc limit 1) is null
                       and not exists (select from %1$I.projector_controls c
                                        where c.projector_name = i.projection_name and c.paused) as runs
                  from %1$I.projection_inline i
                offset 0) p;
        if not all_run then
            remembered := set_config('eventing.answer', '', false);
            exit;
        elsif look = 2 then
            remembered := set_config('eventing.answer', named || coalesce(answer, ''), false);
        else
            -- Worth remembering.
            change := pg_sequence_last_value(%2$L);
            named := %2$L || ' ' || change || ' ' || array_to_string(known, ',') || '|';
            exit when named is null or pg_is_in_recovery() or exists (
                select from pg_locks l
                 where l.locktype = 'advisory' and l.objsubid = 1 and (l.classid::bigint << 32 | l.objid::bigint) = %3$s
                   and l.database = (select d.oid from pg_database d where d.datname = current_database()))
                or (select count(*) from pg_trigger t
                     where t.tgname = 'inline_change' and t.tgenabled in ('O', 'A')
                       and t.tgrelid in (select c.oid from pg_class c join pg_namespace n on n.oid = c.relnamespace
                                          where n.nspname = %4$L
                                            and c.relname in ('projection_inline', 'projection_skips', 'projector_controls'))) < 3;
        end if;
    end loop;
    marks := set_config('eventing.inline', case when all_run then '=' else coalesce(marks, '') end, true);
    return answer;
end $body$
$format$, current_schema(), sequence, changing, current_schema());
execute format($format$
create function %1$I.inline_changed() returns void language plpgsql security definer set search_path = pg_catalog as $body$
begin
    perform pg_advisory_xact_lock_shared(%3$s);
    perform setval(%2$L, 1 + ('x' || substr(replace(gen_random_uuid()::text, '-', ''), 1, 12))::bit(48)::bigint);
end $body$
$format$, current_schema(), sequence, changing);
execute format($format$
create function %1$I.note_inline_change() returns trigger language plpgsql security definer set search_path = pg_catalog as $body$
begin
    if tg_table_name = 'projection_skips' then
        if not exists (select from noted) then
            return null;
        end if;
    end if;
    perform %1$I.inline_changed();
    return null;
end $body$
$format$, current_schema());
create trigger inline_change after insert or update or delete or truncate on projection_inline
for each statement execute function note_inline_change();
create trigger inline_change after insert or update or delete or truncate on projector_controls
for each statement execute function note_inline_change();
create trigger inline_change after insert on projection_skips referencing new table as noted
for each statement execute function note_inline_change();
-- Fires after each insert into events, once a projector is inline: the trigger is made then. It notes what the guard of the same
-- statement has not left to the appending node. Its condition calls it for nothing after '=', since the lock keeps the rows as the
-- guard has read them; the append removes that mark at its end. Also notes what is not after to_position: a transaction that had
-- drawn it by then waits here.
execute format($format$
create function %1$I.note_inline_skips() returns trigger language plpgsql as $body$
declare
    marks text := coalesce(current_setting('eventing.inline', true), '');
    emptied text := set_config('eventing.inline', '', true);
begin
    if marks = '' then
        if current_setting('transaction_isolation') not in ('read committed', 'read uncommitted') then
            raise exception using errcode = 'object_not_in_prerequisite_state',
                message = 'appends at isolation level "' || current_setting('transaction_isolation')
                    || '" are refused while the trigger eventing_inline is on the events',
                hint = 'Use read committed for transactions that append events, or drop the trigger if no projector is inline '
                    || 'any more.';
        end if;
        perform pg_advisory_xact_lock_shared(%1$I.inline_lock());
    end if;
    if marks <> '*' then
        insert into %1$I.projection_skips (projection_name, global_position)
        select i.projection_name, a.global_position
          from %1$I.projection_inline i
         cross join appended a
         where i.mode = 'INLINE' and i.code <> all (string_to_array(marks, ','))
            or i.mode = 'FOLLOWING' and a.global_position <= i.to_position;
    end if;
    return null;
end $body$
$format$, current_schema());
end $do$;
comment on function inline_lock() is
    'The key of the advisory lock whose shared form appends keep while there are inline projectors. Transitions take it '
    'exclusively.';
comment on function inline_guard(text[]) is
    'Which inline handlers an append runs, by code and turn; for the SDK''s own statements.';
comment on function inline_changed() is
    'Notes that what inline_guard reads has changed, with the rights of its owner. Call it in the transaction of the change.';
comment on function note_inline_change() is
    'Calls inline_changed, with the rights of its owner; for triggers.';
comment on function note_inline_skips() is
    'Notes the events that no inline handlers are run for; for the trigger on events that the SDK makes.';

-- ---- For operators: all projectors at one look ----

-- The position is that of the highest revision, at the end of the index. A projector that has changed its source has two
-- places: the later one counts. A projector without a row in projections has its first generation. A
-- generation beside it goes by its name, '#' and its number.
create view projector_overview as
with known as (
    select projector_name from projector_nodes
    union
    select projector_name from projector_controls
    union
    select projector_name from projector_checkpoints
    union
    select projector_name from projector_positions
), named as (
    select projector_name, split_part(projector_name, '#', 1) as name,
           nullif(split_part(projector_name, '#', 2), '')::integer as beside
      from known
), generations as (
    select k.projector_name, k.name, coalesce(p.generation, 1) as generation,
           case p.status when 'FILLING' then 'filling' when 'BUILDING' then 'building' when 'READY' then 'ready'
                when 'PAST' then 'past'
                when 'STANDBY' then 'standby' when 'STALE' then 'stale' when 'FAILED' then 'failed' else 'live' end as role,
           p.stream is not null as streamed,
           p.filled_to,
           case p.status when 'STANDBY' then 'cannot roll back: ' || p.no_rollback end as obstacle
      from named k
      left join projections p on p.projection_name = k.name
           and case when k.beside is null then p.status in ('FILLING', 'LIVE') else p.generation = k.beside end
     where k.beside is null or p.status in ('BUILDING', 'READY', 'PAST', 'STANDBY', 'STALE', 'FAILED')
)
select g.name, g.generation, g.role,
       case when g.role = 'past' then 'STOPPED'
            when lease.owner is null and node.state is null then 'NO_NODE'
            when control.paused then 'PAUSED'
            when node.node <> lease.owner then 'UNREPORTED'
            else coalesce(node.state, 'UNREPORTED')
       end as status,
       case when control.paused then 'paused by ' || control.actor || coalesce(': ' || control.reason, '')
            when g.role = 'past' then 'shows the read model as it was at position ' || g.filled_to
            when node.node is distinct from coalesce(lease.owner, node.node) then g.obstacle
            when g.obstacle is null then node.detail
            else concat_ws('; ', g.obstacle, nullif(node.detail, ''))
       end as detail,
       coalesce(control.paused, false) as paused,
       place.position,
       case when place.stored then behind.events when g.role <> 'past' then node.behind_events end as behind_events,
       case when place.stored then behind.seconds when g.role <> 'past' then node.behind_seconds end as behind_seconds,
       lease.owner,
       (select count(*) from dead_letters d
         where d.projector_name = g.projector_name and d.status in ('PARKED', 'REDRIVING')) as open_letters,
       greatest(node.reported_at, place.updated_at) as updated_at
  from generations g
  left join leases lease
    on lease.lease_name = 'projector/' || g.projector_name and lease.epoch > 0
   and lease.expires_at > clock_timestamp()
  left join projector_controls control on control.projector_name = g.name
  left join lateral (
       select n.node, n.state, n.detail, n.behind_events, n.behind_seconds, n.reported_at
         from projector_nodes n
        where n.projector_name = g.projector_name
          and n.reported_at between clock_timestamp() - interval '15 seconds' and clock_timestamp() + interval '15 seconds'
        order by n.node is distinct from lease.owner, n.state in ('STANDBY', 'STOPPED'), n.reported_at desc
        limit 1) node on true
  left join lateral (
       select places.position, places.stored, places.updated_at
         from ((select c.position, not g.streamed and g.role <> 'past' as stored, c.updated_at
                  from projector_checkpoints c
                 where c.projector_name = case when g.streamed and g.role = 'filling' then g.name || '#' || g.generation
                                               else g.projector_name end
                 order by c.revision desc limit 1)
               union all
               (select p.floor, false, p.updated_at
                  from projector_positions p
                 where p.projector_name = g.projector_name and not g.streamed
                 order by p.updated_at desc limit 1)) places
        order by places.updated_at desc limit 1) place on true
  left join lateral (
       select case when next.events < 10000 then next.events
                   else (select max(global_position) from events) - place.position
              end as events,
              case when next.events = 0 then 0
                   else greatest(0, extract(epoch from clock_timestamp() - next.since))
              end::double precision as seconds
         from (select count(*) as events,
                      (select e.recorded_at from events e
                        where e.global_position > place.position
                        order by e.global_position limit 1) as since
                 from (select from events e
                        where place.stored and e.global_position > place.position
                        limit 10000) counted) next
        where place.stored) behind on true;
comment on view projector_overview is
    'Every projector at one look. status is what the owner reports, else the node that reported last; PAUSED as soon as '
    'that is stored; NO_NODE if no node has reported it for 15 s and none owns it; STOPPED for one '
    'that shows the read model as it was, which needs no node, and has no lag; UNREPORTED if its owner does not report. '
    'detail begins with what stands in the way of a roll back to a former generation, if something does. '
    'position is the one in the event store for a projector that reads it, else the sequence in its stream. For the event '
    'store the lag is counted here, exactly below 10,000 events; for JetStream it is what the node reported, or null. '
    'owner is null where nodes compete for events. updated_at is when anything of this was last heard.';
