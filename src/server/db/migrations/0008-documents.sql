-- What an organization's documents are made as.
alter table organizations add column e_invoice_profile text not null default 'none';
alter table organizations add column paper_size text not null default 'A4';

-- What was made of an issued invoice, once: the PDF of record. Append-only by privilege, as issued_invoices.
create table invoice_files (
  organization_id uuid not null,
  invoice_id uuid not null,
  kind text collate "C" not null,
  content bytea not null,
  -- SHA-256 of the content, in hexadecimal.
  content_hash text collate "C" not null,
  made_at timestamptz not null,
  primary key (organization_id, invoice_id, kind),
  foreign key (organization_id, invoice_id) references issued_invoices (organization_id, invoice_id)
);
grant select, insert on invoice_files to docket_app;
alter table invoice_files enable row level security;
alter table invoice_files force row level security;
create policy tenant on invoice_files to docket_app
  using (organization_id = any ((select docket_organizations())::uuid[]))
  with check (organization_id = any ((select docket_organizations())::uuid[]));
grant delete, select (organization_id) on invoice_files to docket_purge;
create policy erase on invoice_files to docket_purge using (organization_id in (select id from organizations where deleted_at is not null));
grant select, insert on invoice_files to docket_backup;
create policy backup on invoice_files to docket_backup using (true) with check (true);

-- Sending. Both follow the invoice without being part of what was frozen.
alter table invoices add column sent_at timestamptz;
alter table invoices add column viewed_at timestamptz;

-- What goes out with a mail is named, not kept here: it is read or made again when the mail is handed over.
alter table mails add column reply_to text;
alter table mails add column attachments jsonb;

-- Which invoice went to whom.
create table invoice_mails (
  organization_id uuid not null,
  id uuid not null,
  invoice_id uuid not null,
  recipient text not null,
  sent_by uuid not null,
  sent_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, invoice_id) references invoices (organization_id, id)
);
create index invoice_mails_by_time on invoice_mails (organization_id, sent_at);
grant select, insert on invoice_mails to docket_app;

-- Links that show one invoice to whoever has them: a global table, because a link names no organization, and so without a foreign key. docket_auth finds the organization by the token's hash and sees nothing else.
create table public_links (
  token_hash text collate "C" primary key,
  organization_id uuid not null,
  invoice_id uuid not null,
  created_by uuid not null,
  created_at timestamptz not null,
  revoked_at timestamptz
);
create index public_links_by_invoice on public_links (organization_id, invoice_id);
grant select, insert, update (revoked_at) on public_links to docket_app;
grant select on public_links to docket_auth;

do $$ declare tenant_table text; begin
  foreach tenant_table in array array['invoice_mails', 'public_links'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I to docket_app using (organization_id = any ((select docket_organizations())::uuid[])) with check (organization_id = any ((select docket_organizations())::uuid[]))', tenant_table);
    execute format('grant delete, select (organization_id) on %I to docket_purge', tenant_table);
    execute format('create policy erase on %I to docket_purge using (organization_id in (select id from organizations where deleted_at is not null))', tenant_table);
    execute format('grant select, insert on %I to docket_backup', tenant_table);
    execute format('create policy backup on %I to docket_backup using (true) with check (true)', tenant_table);
  end loop;
end $$;
create policy resolve on public_links for select to docket_auth using (true);
