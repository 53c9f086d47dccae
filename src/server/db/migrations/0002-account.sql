-- Account care: devices, reset and change of email, passkeys, closing an account or an organization.

-- Closed at once, erased 30 days later.
alter table users add column deleted_at timestamptz;
-- When somebody last presented its refresh token without its key.
alter table sessions add column refused_at timestamptz;
-- Both links of one change of email.
alter table email_tokens add column change_id uuid;

create table passkeys (
  -- The credential's id, base64url.
  id text collate "C" primary key,
  user_id uuid not null references users (id) on delete cascade,
  -- COSE key, base64url.
  public_key text not null,
  counter bigint not null,
  transports jsonb not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_by_user on passkeys (user_id, created_at);

-- A challenge is answered once. Without a user: a sign-in.
create table passkey_challenges (
  challenge text collate "C" primary key,
  user_id uuid references users (id) on delete cascade,
  expires_at timestamptz not null
);
create index passkey_challenges_by_expiry on passkey_challenges (expires_at);

grant select, insert, update, delete on passkeys, passkey_challenges to docket_auth;
grant select, insert on passkeys, passkey_challenges to docket_backup;
grant delete, select (expires_at) on passkey_challenges to docket_jobs;
-- Leaving an organization.
grant delete on memberships to docket_app;

-- Erasing what was closed is a role of its own: it sees closed organizations and accounts, and nothing else does it.
do $$ begin create role docket_purge login; exception when duplicate_object or unique_violation then null; end $$;
grant delete, select (deleted_at) on users to docket_purge;
do $$ declare tenant_table text; begin
  foreach tenant_table in array array['memberships', 'organization_revisions', 'idempotency', 'customers', 'number_series', 'number_counters', 'invoices', 'invoice_lines', 'issued_invoices'] loop
    execute format('grant delete, select (organization_id) on %I to docket_purge', tenant_table);
    execute format('create policy erase on %I to docket_purge using (organization_id in (select id from organizations where deleted_at is not null))', tenant_table);
  end loop;
end $$;
grant delete, select (id, deleted_at) on organizations to docket_purge;
create policy erase on organizations to docket_purge using (deleted_at is not null);
