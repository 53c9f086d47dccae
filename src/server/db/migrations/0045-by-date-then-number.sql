-- Invoices of one day stand in the order of their numbers: shared/invoice-keys.ts, of what was issued before.
alter table invoices no force row level security;
update invoices set issue_key = to_char(issue_date, 'YYYY-MM-DD') || ' ' || number_key where issue_date is not null;
alter table invoices force row level security;
