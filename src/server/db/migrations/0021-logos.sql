-- An organization's logo: which one it is now stands in its row, and the pictures by their hash, because what was issued goes on showing the one
-- that it was issued with.
alter table organizations add column logo jsonb;

create table logos (
  organization_id uuid not null references organizations (id),
  -- SHA-256 of the content, in hexadecimal.
  content_hash text collate "C" not null,
  media_type text not null,
  content bytea not null,
  added_at timestamptz not null,
  primary key (organization_id, content_hash)
);
-- Append-only: whoever may replace a picture could change what an issued invoice shows.
grant select, insert on logos to docket_app;
alter table logos enable row level security;
alter table logos force row level security;
create policy tenant on logos to docket_app
  using (organization_id = any ((select docket_organizations())::uuid[]))
  with check (organization_id = any ((select docket_organizations())::uuid[]));
grant delete, select (organization_id) on logos to docket_purge;
create policy erase on logos to docket_purge using (organization_id in (select id from organizations where deleted_at is not null));
grant select, insert on logos to docket_backup;
create policy backup on logos to docket_backup using (true) with check (true);
