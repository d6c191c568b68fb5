-- What chains achieved beside what was predicted, per link and congestion control.
create table correction (
  from_relay varchar(63) not null,
  to_relay varchar(63) not null,
  congestion_control varchar(16) not null,
  log_ratio double precision not null,
  evidence double precision not null,
  outcomes bigint not null,
  updated_at timestamp(6) with time zone not null,
  primary key (from_relay, to_relay, congestion_control)
);
