create table stored (id uuid primary key, note text);
