-- API keys by a digest of them; the keys themselves are nowhere.
create table api_key (
  id uuid primary key,
  name varchar(63) not null,
  role varchar(16) not null,
  digest varchar(64) not null unique,
  control_token varchar(64),
  created_at timestamp(6) with time zone not null,
  created_by varchar(300) not null,
  expires_at timestamp(6) with time zone,
  last_used_at timestamp(6) with time zone
);
