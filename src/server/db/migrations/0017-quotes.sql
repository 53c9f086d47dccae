-- Quotes: what is offered before it is invoiced. Tables of their own, so that none of it comes near the numbers and the figures of invoices.

create table quotes (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  -- draft, sent, accepted or declined; that one has expired is derived.
  status text not null,
  -- Given when it is sent for the first time, and kept.
  number text collate "C",
  -- How often what it says has gone out; 0: never.
  edition int not null,
  valid_until date,
  customer_id uuid,
  customer_name text,
  currency text not null,
  -- Minor units of the currency.
  net_amount bigint not null,
  tax_amount bigint not null,
  gross_amount bigint not null,
  -- What a person may change, as an invoice's draft has it.
  content jsonb not null,
  search_key text collate "C" not null,
  sent_at timestamptz,
  viewed_at timestamptz,
  -- The draft, or what became of it.
  invoice_id uuid,
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, customer_id) references customers (organization_id, id)
);
create unique index quotes_by_number on quotes (organization_id, number);
create index quotes_by_customer on quotes (organization_id, customer_id, id);
grant select, insert, update on quotes to docket_app;

-- What went out, as it went out. Append-only by privilege, as what was answered to it.
create table quote_editions (
  organization_id uuid not null,
  quote_id uuid not null,
  edition int not null,
  sent_at timestamptz not null,
  sent_by uuid not null,
  content jsonb not null,
  primary key (organization_id, quote_id, edition),
  foreign key (organization_id, quote_id) references quotes (organization_id, id)
);
create table quote_answers (
  organization_id uuid not null,
  quote_id uuid not null,
  edition int not null,
  -- accepted or declined.
  answer text not null,
  -- Who said so, as they typed it.
  name text not null,
  -- The member who wrote it down; null: whoever had the link.
  noted_by uuid,
  answered_at timestamptz not null,
  primary key (organization_id, quote_id, edition),
  foreign key (organization_id, quote_id, edition) references quote_editions (organization_id, quote_id, edition)
);
-- Which quote went to whom.
create table quote_mails (
  organization_id uuid not null,
  id uuid not null,
  quote_id uuid not null,
  recipient text not null,
  sent_by uuid not null,
  sent_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, quote_id) references quotes (organization_id, id)
);
create index quote_mails_by_time on quote_mails (organization_id, sent_at);
grant select, insert on quote_editions, quote_answers, quote_mails to docket_app;

-- As public_links: found by the token's hash alone.
create table quote_links (
  token_hash text collate "C" primary key,
  organization_id uuid not null,
  quote_id uuid not null,
  created_by uuid not null,
  created_at timestamptz not null,
  revoked_at timestamptz
);
create index quote_links_by_quote on quote_links (organization_id, quote_id);
grant select, insert, update (revoked_at) on quote_links to docket_app;
grant select on quote_links to docket_auth;

-- Where an invoice comes from. No foreign key: a restore writes the rows of one table in no order.
alter table invoices add column quote_id uuid;

do $$ declare tenant_table text; begin
  foreach tenant_table in array array['quotes', 'quote_editions', 'quote_answers', 'quote_mails', 'quote_links'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I to docket_app using (organization_id = any ((select docket_organizations())::uuid[])) with check (organization_id = any ((select docket_organizations())::uuid[]))', tenant_table);
    execute format('grant delete, select (organization_id) on %I to docket_purge', tenant_table);
    execute format('create policy erase on %I to docket_purge using (organization_id in (select id from organizations where deleted_at is not null))', tenant_table);
    execute format('grant select, insert on %I to docket_backup', tenant_table);
    execute format('create policy backup on %I to docket_backup using (true) with check (true)', tenant_table);
  end loop;
end $$;
create policy resolve on quote_links for select to docket_auth using (true);
