create table stored (id uuid primary key);
