-- What streams have shown of the paths from relays to destinations.
create table destination_path (
  relay varchar(64) not null,
  target varchar(320) not null,
  transfers text not null,
  updated_at timestamp(6) with time zone not null,
  primary key (relay, target)
);
