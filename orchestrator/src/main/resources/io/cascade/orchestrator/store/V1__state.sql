create table relay (
  name varchar(63) primary key,
  instance uuid not null,
  registration text not null,
  restarts integer not null,
  registered_at timestamp(6) with time zone not null,
  last_seen_at timestamp(6) with time zone not null
);

create table link (
  from_relay varchar(63) not null,
  to_relay varchar(63) not null,
  counted text not null,
  updated_at timestamp(6) with time zone not null,
  primary key (from_relay, to_relay)
);

-- What is queried has a column; the rest is JSON.
create table chain (
  id uuid primary key,
  name varchar(63),
  state varchar(16) not null,
  reason text,
  destination varchar(260) not null,
  request text not null,
  chain_plan text,
  installation text,
  setup text,
  created_at timestamp(6) with time zone not null,
  updated_at timestamp(6) with time zone not null
);

create index chain_by_age on chain (created_at, id);
create index chain_by_state on chain (state, created_at);

create table idempotency_key (
  request_key varchar(128) primary key,
  body_digest varchar(64) not null,
  chain_id uuid not null,
  created_at timestamp(6) with time zone not null
);

create index idempotency_key_by_age on idempotency_key (created_at);
