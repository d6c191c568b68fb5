-- Gateways of tunnels: whose name belongs to which key; and tunnels, with the keys of their links.
create table gateway (
  name varchar(63) primary key,
  public_key varchar(80) not null,
  sequence bigint not null
);
create table tunnel (
  id uuid primary key,
  opened_at timestamp with time zone not null,
  document text not null
);
