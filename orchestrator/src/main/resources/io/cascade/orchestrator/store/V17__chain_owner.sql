-- Caller that opened the chain; null where that was nobody in particular.
alter table chain add column owner varchar(300);
create index chain_by_owner on chain (owner, created_at);
