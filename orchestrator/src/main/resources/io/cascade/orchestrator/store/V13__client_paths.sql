-- What clients' own transfers have shown of the paths from the client.
create table client_path (
  client varchar(64) not null,
  target varchar(320) not null,
  transfers text not null,
  updated_at timestamp(6) with time zone not null,
  primary key (client, target)
);
