-- An invoice that is written again and again: what it says, how often, and when next.

create table recurring_invoices (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  customer_id uuid not null,
  -- week, month or year; every so many of them.
  interval text not null,
  every int not null,
  starts_on date not null,
  ends_on date,
  -- draft or issue.
  action text not null,
  paused boolean not null,
  -- As a draft is sent to the API, without dates and totals.
  invoice jsonb not null,
  currency text not null,
  gross_amount bigint not null,
  -- Null: it is over.
  next_on date,
  last_on date,
  last_invoice_id uuid,
  -- Made and still to be issued: that is a transaction of its own, because numbers are locked before revisions.
  issuing_invoice_id uuid,
  last_problem text,
  created_by uuid not null,
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, customer_id) references customers (organization_id, id)
);
create index recurring_invoices_by_next on recurring_invoices (organization_id, next_on, id);

grant select, insert, update on recurring_invoices to docket_app;
alter table recurring_invoices enable row level security;
alter table recurring_invoices force row level security;
create policy tenant on recurring_invoices to docket_app
  using (organization_id = any ((select docket_organizations())::uuid[]))
  with check (organization_id = any ((select docket_organizations())::uuid[]));
grant delete, select (organization_id) on recurring_invoices to docket_purge;
create policy erase on recurring_invoices to docket_purge using (organization_id in (select id from organizations where deleted_at is not null));
grant select, insert on recurring_invoices to docket_backup;
create policy backup on recurring_invoices to docket_backup using (true) with check (true);
