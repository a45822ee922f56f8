grant usage on schema eventing to library;
grant select, insert, update, delete on all tables in schema eventing to library;
revoke update, delete, truncate on eventing.events from library;
revoke insert, update, delete on eventing.erasures from library;
grant usage, select on all sequences in schema eventing to library;
