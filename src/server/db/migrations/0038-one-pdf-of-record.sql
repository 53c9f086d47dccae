-- An invoice's PDF of record is one: the rows' key has the kind in it, and a second one of the other kind could be written beside it by the app's role,
-- and be handed out in the first one's place. Neither is there a way to change the first. What is restored is written by docket_backup.
create function refuse_second_pdf() returns trigger language plpgsql as $$
begin
  if new.kind in ('pdf', 'facturx') and exists (
    select from invoice_files
    where organization_id = new.organization_id and invoice_id = new.invoice_id and kind in ('pdf', 'facturx') and kind <> new.kind
  ) then
    raise exception 'This invoice has its PDF of record' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger one_pdf before insert on invoice_files for each row when (current_user = 'docket_app') execute function refuse_second_pdf();
