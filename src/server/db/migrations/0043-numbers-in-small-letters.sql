-- `INV-1` and `inv-1` are one number: whether one is free is asked of both.
create index issued_invoices_by_small_number on issued_invoices (organization_id, lower(number));
create index quotes_by_small_number on quotes (organization_id, lower(number));
