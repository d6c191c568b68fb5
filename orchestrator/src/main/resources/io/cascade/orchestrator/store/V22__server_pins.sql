-- Pins of the orchestrators that share this database, and the last order to rotate that each has followed.
create table server_pins (
  pins varchar(250) primary key,
  rotation bigint not null,
  seen_at timestamp with time zone not null
);
-- How often the leader has ordered all to rotate.
alter table leadership add column rotation bigint default 0 not null;
