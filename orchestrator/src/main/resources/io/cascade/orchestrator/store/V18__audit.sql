create table audit_entry (
  id bigint primary key,
  at timestamp(6) with time zone not null,
  caller varchar(300) not null,
  role varchar(16),
  operation varchar(64) not null,
  object varchar(300),
  outcome integer,
  address varchar(64) not null,
  request_id uuid not null
);

create index audit_entry_by_age on audit_entry (at);
