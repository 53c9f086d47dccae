-- An invoice's PDF of record is one: the rows' key has the kind in it, and a second one of the other kind could be written beside it by the app's role,
-- and be handed out in the first one's place. Neither is there a way to change the first. What is restored is written by docket_backup.
-- A function, as in 0026, because a policy may not ask its own table; no unique index, because an older build may have made two.
-- Volatile, so that it sees what the same statement has written.
alter table invoice_files no force row level security;
create function docket_first_pdf(made invoice_files) returns boolean language sql volatile as $$
  select made.kind not in ('pdf', 'facturx') or not exists (
    select from invoice_files
    where organization_id = made.organization_id and invoice_id = made.invoice_id and kind in ('pdf', 'facturx') and kind <> made.kind
  )
$$;
create policy one_pdf on invoice_files as restrictive for insert to docket_app with check (docket_first_pdf(invoice_files));
alter table invoice_files force row level security;
