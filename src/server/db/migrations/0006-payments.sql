-- Payments, what was credited, and what both leave due. What was recorded is append-only by privilege: a payment is reversed, never changed.

-- Sums of what stands in payment_allocations and of the credit notes issued, in minor units; they change in the same transaction.
alter table invoices add column paid_amount bigint not null default 0;
alter table invoices add column credited_amount bigint not null default 0;
-- Of a credit note: what it credits. No foreign key: a restore writes the rows of one table in no order.
alter table invoices add column credited_invoice_id uuid;
create index invoices_by_credited on invoices (organization_id, credited_invoice_id, id);

create table payments (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  date date not null,
  currency text not null,
  amount bigint not null,
  method text not null,
  reference text,
  -- Of its invoices; the name as it was then.
  customer_id uuid not null,
  customer_name text not null,
  recorded_by uuid not null,
  -- From shared/payment-keys.ts.
  date_key text collate "C" not null,
  search_key text collate "C" not null,
  version int not null,
  revision bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, customer_id) references customers (organization_id, id)
);
create index payments_by_date on payments (organization_id, date_key, id);
create index payments_by_customer on payments (organization_id, customer_id, date_key, id);
create index payments_by_revision on payments (organization_id, revision, id);

create table payment_allocations (
  organization_id uuid not null,
  payment_id uuid not null,
  position int not null,
  invoice_id uuid not null,
  amount bigint not null,
  primary key (organization_id, payment_id, position),
  foreign key (organization_id, payment_id) references payments (organization_id, id),
  foreign key (organization_id, invoice_id) references invoices (organization_id, id)
);
create index payment_allocations_by_invoice on payment_allocations (organization_id, invoice_id, payment_id);

-- A row for each payment that was taken back: when, by whom and why.
create table payment_reversals (
  organization_id uuid not null,
  payment_id uuid not null,
  reversed_at timestamptz not null,
  reversed_by uuid not null,
  reason text not null,
  primary key (organization_id, payment_id),
  foreign key (organization_id, payment_id) references payments (organization_id, id)
);

grant select, insert on payments, payment_allocations, payment_reversals to docket_app;
-- The feed's cursor moves when it is reversed; nothing else of it ever does.
grant update (version, revision, updated_at) on payments to docket_app;

do $$ declare tenant_table text; begin
  foreach tenant_table in array array['payments', 'payment_allocations', 'payment_reversals'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I to docket_app using (organization_id = any ((select docket_organizations())::uuid[])) with check (organization_id = any ((select docket_organizations())::uuid[]))', tenant_table);
    execute format('grant delete, select (organization_id) on %I to docket_purge', tenant_table);
    execute format('create policy erase on %I to docket_purge using (organization_id in (select id from organizations where deleted_at is not null))', tenant_table);
    execute format('grant select, insert on %I to docket_backup', tenant_table);
    execute format('create policy backup on %I to docket_backup using (true) with check (true)', tenant_table);
  end loop;
end $$;
