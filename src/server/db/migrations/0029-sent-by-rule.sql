-- What a recurring invoice issued and is still to send: a transaction of its own, so that what cannot be sent is issued all the same. A row goes when its
-- mail is written; with a problem it says why there will be none, until the invoice is sent by hand or the rule is saved.
create table recurring_sendings (
  organization_id uuid not null,
  invoice_id uuid not null,
  recurring_id uuid not null,
  problem text,
  primary key (organization_id, invoice_id),
  foreign key (organization_id, invoice_id) references invoices (organization_id, id),
  foreign key (organization_id, recurring_id) references recurring_invoices (organization_id, id)
);

grant select, insert, update, delete on recurring_sendings to docket_app;
alter table recurring_sendings enable row level security;
alter table recurring_sendings force row level security;
create policy tenant on recurring_sendings to docket_app
  using (organization_id = any ((select docket_organizations())::uuid[]))
  with check (organization_id = any ((select docket_organizations())::uuid[]));
grant delete, select (organization_id) on recurring_sendings to docket_purge;
create policy erase on recurring_sendings to docket_purge using (organization_id in (select id from organizations where deleted_at is not null));
grant select, insert on recurring_sendings to docket_backup;
create policy backup on recurring_sendings to docket_backup using (true) with check (true);
