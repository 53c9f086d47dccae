-- Noted before the mail server gets the end of a mail, forgotten with its answer: who finds it in a row that a killed process left knows that it may be there.
alter table mails add column handed_over_at timestamptz;
grant select (handed_over_at) on mails to docket_app;
