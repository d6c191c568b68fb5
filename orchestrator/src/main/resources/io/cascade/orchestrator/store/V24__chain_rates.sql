-- Bytes that chains carried in spans of ten seconds of the past hour; those of all chains together have the nil UUID.
create table chain_rate (
  chain_id uuid not null,
  span_start timestamp(6) with time zone not null,
  forward_bytes double precision not null,
  backward_bytes double precision not null
);
create index chain_rate_span_start on chain_rate (span_start);
