-- Bytes that chains carried in spans of two minutes of the past day; those of all chains together have the nil UUID.
-- A table of its own: the version before takes every row of chain_rate for a span of ten seconds.
create table chain_rate_day (
  chain_id uuid not null,
  span_start timestamp(6) with time zone not null,
  forward_bytes double precision not null,
  backward_bytes double precision not null
);
create index chain_rate_day_span_start on chain_rate_day (span_start);
