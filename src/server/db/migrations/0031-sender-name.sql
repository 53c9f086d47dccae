-- Whose mail it is, as its receiver reads it: the organization's name. Null: Docket's own.
alter table mails add column sender_name text;
