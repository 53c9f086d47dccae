-- Who did what in an organization, with what changed. Append-only by privilege: docket_app may not update or delete here.

create table activity (
  organization_id uuid not null references organizations (id),
  -- UUIDv7: the order in which things happened.
  id uuid not null,
  at timestamptz not null,
  user_id uuid not null,
  -- The name of the call, as in shared/endpoints.ts.
  action text not null,
  kind text not null,
  subject_id uuid not null,
  -- What it was called then.
  label text not null,
  -- [{field, before, after}]
  changes jsonb not null,
  primary key (organization_id, id)
);
create index activity_by_subject on activity (organization_id, subject_id, id);

grant select, insert on activity to docket_app;
alter table activity enable row level security;
alter table activity force row level security;
create policy tenant on activity to docket_app
  using (organization_id = any ((select docket_organizations())::uuid[]))
  with check (organization_id = any ((select docket_organizations())::uuid[]));
grant delete, select (organization_id) on activity to docket_purge;
create policy erase on activity to docket_purge using (organization_id in (select id from organizations where deleted_at is not null));
grant select, insert on activity to docket_backup;
create policy backup on activity to docket_backup using (true) with check (true);
