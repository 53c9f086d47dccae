-- Roles are the second wall. They belong to the cluster, so another database's migration may have made them already.
-- LOGIN without a password: nobody signs in as them, but Citus connects to its workers as the role set.
do $$ begin create role docket_app login; exception when duplicate_object or unique_violation then null; end $$;
do $$ begin create role docket_auth login; exception when duplicate_object or unique_violation then null; end $$;
do $$ begin create role docket_jobs login; exception when duplicate_object or unique_violation then null; end $$;

-- Accounts and sessions: docket_auth alone.

create table users (
  id uuid primary key,
  name text not null,
  email text not null,
  email_key text collate "C" not null unique,
  password_hash text not null,
  email_verified_at timestamptz,
  disabled_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table sessions (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  -- RFC 7638 thumbprint of the device key; null for a client that sends no proof.
  device_key text collate "C",
  user_agent text not null,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  -- Ends after a time without use, and in any case at its end.
  idle_expires_at timestamptz not null,
  ends_at timestamptz not null,
  -- Generations count up with every refresh token minted; the confirmed one is known to have arrived.
  last_generation int not null,
  confirmed_generation int not null,
  revoked_at timestamptz,
  revoke_reason text
);
create index sessions_by_user on sessions (user_id, created_at);

create table refresh_tokens (
  token_hash text collate "C" primary key,
  session_id uuid not null references sessions (id) on delete cascade,
  generation int not null,
  -- The generation it was made from: repeats of one request make siblings with the same parent.
  parent_generation int not null,
  created_at timestamptz not null,
  unique (session_id, generation)
);

create table email_tokens (
  token_hash text collate "C" primary key,
  user_id uuid not null references users (id) on delete cascade,
  purpose text not null,
  email text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index email_tokens_by_user on email_tokens (user_id, created_at);

create table proofs_seen (
  proof_hash text collate "C" primary key,
  expires_at timestamptz not null
);
create index proofs_seen_by_expiry on proofs_seen (expires_at);

-- One row per thing that happened and is limited, such as a failed sign-in of one account.
create table limited_events (
  bucket text collate "C" not null,
  id uuid not null,
  at timestamptz not null,
  primary key (bucket, id)
);
create index limited_events_by_time on limited_events (at);

create table signing_keys (
  id text collate "C" primary key,
  private_key jsonb not null,
  public_key jsonb not null,
  created_at timestamptz not null
);

create table secrets (
  name text collate "C" primary key,
  value text not null
);

-- Written in the transaction that causes the mail; taken by the sender. The body goes once it is sent, because links are secrets.
create table mails (
  id uuid primary key,
  organization_id uuid,
  recipient text not null,
  kind text not null,
  subject text not null,
  body_text text not null,
  body_html text not null,
  created_at timestamptz not null,
  due_at timestamptz not null,
  attempts int not null,
  sent_at timestamptz,
  last_error text
);
create index mails_due on mails (due_at) where sent_at is null;

-- Answers of calls that name no organization (OFFLINE.md "Server side").
create table user_idempotency (
  user_id uuid not null,
  key text collate "C" not null,
  request_hash text collate "C" not null,
  status int,
  headers jsonb,
  body jsonb,
  created_at timestamptz not null,
  primary key (user_id, key)
);

-- Organizations and everything in them: docket_app, behind row-level security.

create table organizations (
  id uuid primary key,
  name text not null,
  legal_name text,
  country text not null,
  currency text not null,
  locale text not null,
  time_zone text not null,
  address jsonb not null,
  vat_number text,
  registration_number text,
  endpoint jsonb,
  contact jsonb not null,
  bank jsonb not null,
  vat_regime text not null,
  defaults jsonb not null,
  version int not null,
  revision bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);

create table memberships (
  organization_id uuid not null references organizations (id),
  user_id uuid not null,
  role text not null,
  created_at timestamptz not null,
  primary key (organization_id, user_id)
);
create index memberships_by_user on memberships (user_id, organization_id);

create table organization_revisions (
  organization_id uuid primary key references organizations (id),
  revision bigint not null
);

-- No foreign key: the row comes first, before it is known whether the organization exists at all.
create table idempotency (
  organization_id uuid not null,
  user_id uuid not null,
  key text collate "C" not null,
  request_hash text collate "C" not null,
  status int,
  headers jsonb,
  body jsonb,
  created_at timestamptz not null,
  primary key (organization_id, user_id, key)
);

create table customers (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  kind text not null,
  name text not null,
  country text not null,
  email text,
  phone text,
  contact_name text,
  address jsonb not null,
  vat_number text,
  registration_number text,
  endpoint jsonb,
  currency text,
  terms_days int,
  buyer_reference text,
  notes text,
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
create index customers_by_name on customers (organization_id, name_key, id);
create index customers_by_update on customers (organization_id, updated_at, id);
create index customers_by_revision on customers (organization_id, revision, id);

create table number_series (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  kind text not null,
  pattern text not null,
  reset text not null,
  primary key (organization_id, id),
  unique (organization_id, kind)
);

create table number_counters (
  organization_id uuid not null,
  series_id uuid not null,
  period text collate "C" not null,
  last_sequence bigint not null,
  primary key (organization_id, series_id, period),
  foreign key (organization_id, series_id) references number_series (organization_id, id)
);

create table invoices (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  type text not null,
  status text not null,
  number text collate "C",
  customer_id uuid,
  currency text not null,
  tax_mode text not null,
  issue_date date,
  due_date date,
  supply_date date,
  terms_days int,
  buyer_reference text,
  order_reference text,
  notes text,
  allowances jsonb not null,
  charges jsonb not null,
  -- Minor units of the currency.
  net_amount bigint not null,
  tax_amount bigint not null,
  gross_amount bigint not null,
  -- What lists sort and search by, from shared/invoice-keys.ts.
  customer_name text,
  issue_key text collate "C" not null,
  number_key text collate "C" not null,
  customer_key text collate "C" not null,
  due_key text collate "C" not null,
  search_key text collate "C" not null,
  version int not null,
  revision bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  issued_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, customer_id) references customers (organization_id, id)
);
create unique index invoices_by_own_number on invoices (organization_id, number);
create index invoices_by_issue on invoices (organization_id, issue_key, id);
create index invoices_by_number on invoices (organization_id, number_key, id);
create index invoices_by_customer_name on invoices (organization_id, customer_key, id);
create index invoices_by_gross on invoices (organization_id, gross_amount, id);
create index invoices_by_due on invoices (organization_id, due_key, id);
create index invoices_by_update on invoices (organization_id, updated_at, id);
create index invoices_by_customer on invoices (organization_id, customer_id, id);
create index invoices_by_status on invoices (organization_id, status, issue_key, id);
create index invoices_by_revision on invoices (organization_id, revision, id);

create table invoice_lines (
  organization_id uuid not null,
  invoice_id uuid not null,
  position int not null,
  id uuid not null,
  name text not null,
  description text,
  quantity numeric(18, 4) not null,
  unit text not null,
  unit_price numeric(20, 6) not null,
  base_quantity numeric(18, 4) not null,
  allowances jsonb not null,
  charges jsonb not null,
  vat jsonb not null,
  net_amount bigint not null,
  primary key (organization_id, invoice_id, position),
  foreign key (organization_id, invoice_id) references invoices (organization_id, id)
);

-- What issuing froze. Append-only by privilege: docket_app may not update or delete here (DOMAIN.md "States").
create table issued_invoices (
  organization_id uuid not null,
  invoice_id uuid not null,
  number text collate "C" not null,
  series_id uuid not null,
  period text collate "C" not null,
  sequence bigint not null,
  issued_at timestamptz not null,
  issued_by uuid not null,
  content jsonb not null,
  -- SHA-256 of the content's canonical text.
  content_hash text collate "C" not null,
  primary key (organization_id, invoice_id),
  unique (organization_id, number),
  unique (organization_id, series_id, period, sequence),
  foreign key (organization_id, invoice_id) references invoices (organization_id, id),
  foreign key (organization_id, series_id) references number_series (organization_id, id)
);

-- Least privilege.

grant select, insert, update, delete on users, sessions, refresh_tokens, email_tokens, proofs_seen, limited_events, signing_keys, secrets to docket_auth;
grant insert on mails to docket_auth, docket_app;
grant select, update, delete on mails to docket_jobs;
-- Purging sees when a row was made and nothing of what is in it.
grant delete, select (expires_at) on proofs_seen to docket_jobs;
grant delete, select (at) on limited_events to docket_jobs;
grant delete, select (expires_at) on email_tokens to docket_jobs;
grant delete, select (ends_at, idle_expires_at) on sessions to docket_jobs;
grant delete, select (created_at) on user_idempotency, idempotency to docket_jobs;
grant select, insert, update on user_idempotency to docket_app;
grant select, insert, update on organizations, memberships, organization_revisions, idempotency, customers, number_series, number_counters, invoices to docket_app;
grant select, insert, update, delete on invoice_lines to docket_app;
grant select, insert on issued_invoices to docket_app;

-- The walls: only rows of the organizations that the transaction named (and its user's own organizations and memberships).

create function docket_organizations() returns uuid[] language sql stable
  as $$ select string_to_array(nullif(current_setting('app.organization_ids', true), ''), ',')::uuid[] $$;
create function docket_user() returns uuid language sql stable
  as $$ select nullif(current_setting('app.user_id', true), '')::uuid $$;

alter table organizations enable row level security;
alter table organizations force row level security;
create policy tenant on organizations to docket_app
  using (id = any ((select docket_organizations())::uuid[]) or id in (select organization_id from memberships where user_id = (select docket_user())))
  with check (id = any ((select docket_organizations())::uuid[]));

alter table memberships enable row level security;
alter table memberships force row level security;
create policy tenant on memberships to docket_app
  using (organization_id = any ((select docket_organizations())::uuid[]) or user_id = (select docket_user()))
  with check (organization_id = any ((select docket_organizations())::uuid[]));

alter table user_idempotency enable row level security;
alter table user_idempotency force row level security;
create policy own on user_idempotency to docket_app using (user_id = (select docket_user())) with check (user_id = (select docket_user()));

do $$ declare tenant_table text; begin
  foreach tenant_table in array array['organization_revisions', 'idempotency', 'customers', 'number_series', 'number_counters', 'invoices', 'invoice_lines', 'issued_invoices'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I to docket_app using (organization_id = any ((select docket_organizations())::uuid[])) with check (organization_id = any ((select docket_organizations())::uuid[]))', tenant_table);
  end loop;
end $$;

create policy purge on user_idempotency to docket_jobs using (true);
create policy purge on idempotency to docket_jobs using (true);

-- A backup reads and a restore writes every row, and nothing else does.
do $$ begin create role docket_backup login; exception when duplicate_object or unique_violation then null; end $$;
do $$ declare any_table record; begin
  for any_table in select c.relname, c.relrowsecurity from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'public' and c.relkind = 'r' loop
    execute format('grant select, insert on %I to docket_backup', any_table.relname);
    if any_table.relrowsecurity then
      execute format('create policy backup on %I to docket_backup using (true) with check (true)', any_table.relname);
    end if;
  end loop;
end $$;
