-- People of an organization: whom it shows as its members, whom it has invited, and whether members issue.

alter table organizations add column members_may_issue boolean not null default true;

-- What the others of an organization see of a person. Their access is `memberships`, which goes when they leave; this stays as a tombstone, for the
-- changes feed and for the name in the activity. Name and email are copies of the account's, written in the transaction that changes those.
create table members (
  organization_id uuid not null references organizations (id),
  -- The user's.
  id uuid not null,
  name text not null,
  email text not null,
  email_key text collate "C" not null,
  version int not null,
  revision bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (organization_id, id)
);
create index members_by_revision on members (organization_id, revision, id);

-- Those who are members already. The wall binds the owner of the tables as well: it is let down for this one statement.
alter table memberships no force row level security;
insert into members (organization_id, id, name, email, email_key, version, revision, created_at, updated_at, deleted_at)
  select m.organization_id, m.user_id, u.name, u.email, u.email_key, 1, 1, m.created_at, m.created_at, null
    from memberships m join users u on u.id = m.user_id;
alter table memberships force row level security;

grant select, insert, update on members to docket_app;
alter table members enable row level security;
alter table members force row level security;
create policy tenant on members to docket_app
  using (organization_id = any ((select docket_organizations())::uuid[]))
  with check (organization_id = any ((select docket_organizations())::uuid[]));
grant delete, select (organization_id) on members to docket_purge;
create policy erase on members to docket_purge using (organization_id in (select id from organizations where deleted_at is not null));
grant select, insert on members to docket_backup;
create policy backup on members to docket_backup using (true) with check (true);

-- No foreign key: written by the role of accounts, which knows of organizations only what stands here.
create table invitations (
  id uuid primary key,
  organization_id uuid not null,
  organization_name text not null,
  email text not null,
  email_key text collate "C" not null,
  role text not null,
  token_hash text collate "C" not null unique,
  inviter_name text not null,
  -- pending, accepted, declined or revoked; a pending one whose time is over is shown as expired.
  status text not null,
  created_at timestamptz not null,
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz
);
create index invitations_by_organization on invitations (organization_id, created_at, id);
create index invitations_by_email on invitations (email_key, created_at);
create unique index invitations_pending on invitations (organization_id, email_key) where status = 'pending';

grant select, insert, update on invitations to docket_auth;
alter table invitations enable row level security;
alter table invitations force row level security;
-- Inside an organization its own; a person's own calls and the mailed link name none.
create policy invited on invitations to docket_auth
  using ((select docket_organizations()) is null or organization_id = any ((select docket_organizations())::uuid[]))
  with check (organization_id = any ((select docket_organizations())::uuid[]));
grant delete, select (expires_at) on invitations to docket_jobs;
create policy purge on invitations to docket_jobs using (true);
grant delete, select (organization_id) on invitations to docket_purge;
create policy erase on invitations to docket_purge using (organization_id in (select id from organizations where deleted_at is not null));
grant select, insert on invitations to docket_backup;
create policy backup on invitations to docket_backup using (true) with check (true);
