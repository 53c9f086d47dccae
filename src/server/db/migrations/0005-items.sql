-- What an organization sells: a line of an invoice is filled in from it, and keeps its own copy.

create table items (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  name text not null,
  sku text,
  description text,
  unit text not null,
  unit_price numeric(20, 6) not null,
  currency text,
  tax_mode text not null,
  vat jsonb not null,
  -- shared/search-key.ts of the name, and of everything a search looks at.
  name_key text collate "C" not null,
  search_key text collate "C" not null,
  version int not null,
  revision bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (organization_id, id)
);
create index items_by_name on items (organization_id, name_key, id);
create index items_by_update on items (organization_id, updated_at, id);
create index items_by_revision on items (organization_id, revision, id);

grant select, insert, update on items to docket_app;
alter table items enable row level security;
alter table items force row level security;
create policy tenant on items to docket_app
  using (organization_id = any ((select docket_organizations())::uuid[]))
  with check (organization_id = any ((select docket_organizations())::uuid[]));
grant delete, select (organization_id) on items to docket_purge;
create policy erase on items to docket_purge using (organization_id in (select id from organizations where deleted_at is not null));
grant select, insert on items to docket_backup;
create policy backup on items to docket_backup using (true) with check (true);
