-- Relays that said that they end, which are not to be missed after a restart of the orchestrator.
alter table relay add column stopped boolean default false not null;
