create schema acme;
create table acme.loan (id uuid primary key, title text not null);
create schema globex;
create table globex.loan (id uuid primary key, title text not null);
