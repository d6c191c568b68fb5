-- Invitations by a digest of their secrets; the secrets themselves are nowhere.
create table invitation (
  id uuid primary key,
  name varchar(63) not null,
  role varchar(16) not null,
  digest varchar(64) not null unique,
  created_at timestamp(6) with time zone not null,
  created_by varchar(300) not null,
  expires_at timestamp(6) with time zone not null,
  key_expires_at timestamp(6) with time zone,
  used_by varchar(60),
  used_at timestamp(6) with time zone,
  api_key uuid
);
-- The key of the relay that accepted an invitation: its API key registers no other.
alter table api_key add relay_key varchar(60);
