alter table relay add column drained boolean default false not null;
