-- When this orchestrator last wrote, which it does to know that it can.
create table last_write (
  written_at timestamp(6) with time zone not null
);
insert into last_write (written_at) values (current_timestamp);
