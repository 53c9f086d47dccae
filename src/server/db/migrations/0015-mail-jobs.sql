-- What became of a mail that did not go out, for a screen: why in a word, when trying ended, and whether somebody or something took it back.
alter table mails add column failure text;
alter table mails add column given_up_at timestamptz;
alter table mails add column ended_at timestamptz;
-- dismissed by a person, or withdrawn because there was nothing left to ask for.
alter table mails add column ended_as text;

drop index mails_due;
create index mails_due on mails (due_at) where sent_at is null and given_up_at is null and ended_at is null;
create index mails_unsent on mails (organization_id, created_at) where sent_at is null;

-- An organization sees that its mails wait or failed, and to whom they go; what they say, links among it, the sender alone reads.
drop policy tenant on mails;
create policy tenant on mails to docket_app
  using (organization_id = any ((select docket_organizations())::uuid[]))
  with check (organization_id = any ((select docket_organizations())::uuid[]));
grant select (id, organization_id, recipient, kind, subject, attachments, created_at, due_at, attempts, sent_at, last_error, failure, given_up_at, ended_at, ended_as) on mails to docket_app;
grant update (due_at, given_up_at, ended_at, ended_as, body_text, body_html) on mails to docket_app;
