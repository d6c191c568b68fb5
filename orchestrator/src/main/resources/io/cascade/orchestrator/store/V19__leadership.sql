-- The leader's seat, one row. The epoch is a key of its own: who takes the seat changes a key, and so waits for those
-- who write under the old one; who renews it does not (PostgreSQL: FOR KEY SHARE).
create table leadership (
  seat integer primary key check (seat = 1),
  epoch bigint not null unique,
  holder uuid,
  address varchar(600),
  renewed_at timestamp with time zone not null
);
insert into leadership (seat, epoch, renewed_at) values (1, 0, timestamp with time zone '2000-01-01 00:00:00+00:00');
