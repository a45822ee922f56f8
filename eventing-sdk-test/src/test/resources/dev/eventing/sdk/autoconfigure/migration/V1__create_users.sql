create table users (tenant_id text, event_id uuid, name text, thread text, primary key (tenant_id, event_id));
