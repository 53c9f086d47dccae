-- Who asks: what somebody may no longer give is no longer good for whoever they asked. Of those that are open already the name says it, where only
-- one member has it; of the others nobody knows, and they are asked again.
alter table invitations add column invited_by uuid;
alter table invitations no force row level security;
alter table members no force row level security;
update invitations set invited_by = inviter.id
  from (
    select organization_id, name, min(id::text)::uuid as id from members
    where deleted_at is null group by organization_id, name having count(*) = 1
  ) as inviter
  where inviter.organization_id = invitations.organization_id and inviter.name = invitations.inviter_name;
update invitations set status = 'revoked', ended_at = now() where status = 'pending' and invited_by is null;
alter table invitations force row level security;
alter table members force row level security;

-- A reminder brings the invoice as well: whoever got one has got it.
alter table invoices no force row level security;
alter table invoice_mails no force row level security;
update invoices set sent_at = reached.at
  from (select organization_id, invoice_id, min(sent_at) as at from invoice_mails group by organization_id, invoice_id) as reached
  where reached.organization_id = invoices.organization_id and reached.invoice_id = invoices.id and invoices.sent_at is null;

-- What was issued stays, in every column but those named here; migrations/0025 holds the row against what was frozen, and a column that it does not
-- know, or that comes later, is held against the row itself as it was. A policy cannot see that row, this can: what it reads, the caller may read.
-- Its body is checked as it is made, by an owner who may have Docket's roles already from another database: their walls together cannot be planned.
create function docket_issued_stays(changed invoices) returns boolean language sql stable as $$
  select exists (
    select from invoices before, lateral (
      select array['status', 'version', 'revision', 'updated_at'] || case when before.status = 'draft'
        then array['number', 'issue_date', 'due_date', 'customer_name', 'issued_at', 'issue_key', 'number_key', 'customer_key', 'due_key', 'search_key']
        else array['paid_amount', 'credited_amount', 'sent_at', 'viewed_at']
      end as columns
    ) as moving
    where before.organization_id = changed.organization_id and before.id = changed.id
      and to_jsonb(before) - moving.columns = to_jsonb(changed) - moving.columns
      and (before.status, changed.status) in (
        ('draft', 'issued'), ('issued', 'issued'), ('issued', 'void'), ('issued', 'uncollectible'),
        ('void', 'void'), ('uncollectible', 'uncollectible')
      )
      -- What has reached the customer has reached them.
      and (before.sent_at is null or changed.sent_at is not null)
      and (before.viewed_at is null or changed.viewed_at is not null)
  )
$$;
create policy issued_stays_whole on invoices as restrictive for update to docket_app using (true) with check (
  status = 'draft' or docket_issued_stays(invoices)
);
alter table invoices force row level security;
alter table invoice_mails force row level security;
