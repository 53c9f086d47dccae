-- An invoice begins as a draft: 0025 and 0026 hold what is changed, and a row that came issued, void or paid from the start passed them by. What is
-- restored is written by docket_backup.
create policy begun_as_draft on invoices as restrictive for insert to docket_app with check (
  status = 'draft' and number is null and issue_date is null and issued_at is null
  and sent_at is null and viewed_at is null and paid_amount = 0 and credited_amount = 0
);
