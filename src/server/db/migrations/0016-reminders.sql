-- What an organization reminds its customers of, and when. Without a row: of nothing.
create table reminder_rules (
  organization_id uuid primary key references organizations (id),
  enabled boolean not null,
  -- [{id, days, subject, message, since}]: so many days after the due date, less than 0 before it; what lies before `since` is not caught up.
  steps jsonb not null,
  saved_by uuid not null,
  version int not null,
  updated_at timestamptz not null
);

-- Invoices that somebody has taken out of it, or put back in.
create table reminder_pauses (
  organization_id uuid not null,
  invoice_id uuid not null,
  paused boolean not null,
  -- Steps before this day are not caught up.
  since date not null,
  primary key (organization_id, invoice_id),
  foreign key (organization_id, invoice_id) references invoices (organization_id, id)
);

grant select, insert, update on reminder_rules, reminder_pauses to docket_app;
do $$ declare tenant_table text; begin
  foreach tenant_table in array array['reminder_rules', 'reminder_pauses'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I to docket_app using (organization_id = any ((select docket_organizations())::uuid[])) with check (organization_id = any ((select docket_organizations())::uuid[]))', tenant_table);
    execute format('grant delete, select (organization_id) on %I to docket_purge', tenant_table);
    execute format('create policy erase on %I to docket_purge using (organization_id in (select id from organizations where deleted_at is not null))', tenant_table);
    execute format('grant select, insert on %I to docket_backup', tenant_table);
    execute format('create policy backup on %I to docket_backup using (true) with check (true)', tenant_table);
  end loop;
end $$;

-- A reminder is a mail of the invoice; each step goes out once. Nobody sends it: it is done by a job.
alter table invoice_mails add column kind text not null default 'invoice';
alter table invoice_mails add column reminder_step uuid;
alter table invoice_mails add column reminder_days int;
alter table invoice_mails alter column sent_by drop not null;
create unique index invoice_mails_by_step on invoice_mails (organization_id, invoice_id, reminder_step) where reminder_step is not null;
create index invoice_mails_by_invoice on invoice_mails (organization_id, invoice_id, sent_at);

-- What a job did nobody did.
alter table activity alter column user_id drop not null;
