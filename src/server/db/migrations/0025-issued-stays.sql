-- What is issued cannot change, whoever writes with the app's role: the row that lists and figures read says what was frozen, its lines stay as they are,
-- and it is never a draft again. What moves on (payments, credit, views, states) is not of this.
create policy issued_stays on invoices as restrictive for update to docket_app using (true) with check (
  case when status = 'draft'
    then not exists (
      select 1 from issued_invoices issued
      where issued.organization_id = invoices.organization_id and issued.invoice_id = invoices.id
    )
    else deleted_at is null and exists (
      select 1 from issued_invoices issued
      where issued.organization_id = invoices.organization_id and issued.invoice_id = invoices.id
        and issued.number = invoices.number
        and issued.content ->> 'currency' = invoices.currency
        and issued.content ->> 'issueDate' = invoices.issue_date::text
        and issued.content ->> 'dueDate' is not distinct from invoices.due_date::text
        and issued.content ->> 'customerName' is not distinct from invoices.customer_name
        -- The contract's amounts have all places of their currency: without the point they are minor units.
        and replace(issued.content -> 'net' ->> 'amount', '.', '')::bigint = invoices.net_amount
        and replace(issued.content -> 'tax' ->> 'amount', '.', '')::bigint = invoices.tax_amount
        and replace(issued.content -> 'gross' ->> 'amount', '.', '')::bigint = invoices.gross_amount
    )
  end
);

create policy issued_stays_added on invoice_lines as restrictive for insert to docket_app with check (
  not exists (
    select 1 from issued_invoices issued
    where issued.organization_id = invoice_lines.organization_id and issued.invoice_id = invoice_lines.invoice_id
  )
);
create policy issued_stays_changed on invoice_lines as restrictive for update to docket_app using (
  not exists (
    select 1 from issued_invoices issued
    where issued.organization_id = invoice_lines.organization_id and issued.invoice_id = invoice_lines.invoice_id
  )
);
create policy issued_stays_removed on invoice_lines as restrictive for delete to docket_app using (
  not exists (
    select 1 from issued_invoices issued
    where issued.organization_id = invoice_lines.organization_id and issued.invoice_id = invoice_lines.invoice_id
  )
);
