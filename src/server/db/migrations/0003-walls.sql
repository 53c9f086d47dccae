-- Mails lie behind the wall too: each role writes the mails of its own side only, and none but the sender reads them.

alter table mails enable row level security;
alter table mails force row level security;
create policy tenant on mails for insert to docket_app
  with check (organization_id = any ((select docket_organizations())::uuid[]));
create policy account on mails for insert to docket_auth with check (organization_id is null);
create policy sending on mails to docket_jobs using (true);
create policy backup on mails to docket_backup using (true) with check (true);
