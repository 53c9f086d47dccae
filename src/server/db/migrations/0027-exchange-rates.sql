-- An invoice in a foreign currency: what one unit of it is worth in the organization's (DOMAIN.md "Money" 5), of which day, and who says so.
alter table invoices add column exchange_rate numeric(20, 10);
alter table invoices add column exchange_date date;
alter table invoices add column exchange_source text;
-- The organization's currency as frozen at issue; of a draft what its rate is into.
alter table invoices add column accounting_currency text;
alter table invoices add constraint invoices_exchange_whole check (
  num_nonnulls(exchange_rate, exchange_date, exchange_source) = 0
  or (
    num_nonnulls(exchange_rate, exchange_date, exchange_source, accounting_currency) = 4
    and exchange_rate > 0 and accounting_currency <> currency
  )
);

-- What was issued before: nobody knows better than the organization's currency of today.
alter table invoices no force row level security;
alter table organizations no force row level security;
alter table issued_invoices no force row level security;
update invoices set accounting_currency = organizations.currency
  from organizations where organizations.id = invoices.organization_id and invoices.status <> 'draft';

-- As in migrations/0026, where issuing now notes the accounting currency too: the one that was frozen, and the rate is the one that was. Its body is
-- checked as it is made, while the walls of what it reads do not hold the owner.
create or replace function docket_issued_stays(changed invoices) returns boolean language sql stable as $$
  select exists (
    select from invoices before, lateral (
      select array['status', 'version', 'revision', 'updated_at'] || case when before.status = 'draft'
        then array['number', 'issue_date', 'due_date', 'customer_name', 'issued_at', 'issue_key', 'number_key', 'customer_key', 'due_key', 'search_key',
                   'accounting_currency']
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
      and (before.status <> 'draft' or exists (
        select from issued_invoices issued
        where issued.organization_id = changed.organization_id and issued.invoice_id = changed.id
          and issued.content ->> 'accountingCurrency' is not distinct from changed.accounting_currency
          and (issued.content -> 'exchange' ->> 'rate')::numeric is not distinct from changed.exchange_rate
          and (issued.content -> 'exchange' ->> 'date')::date is not distinct from changed.exchange_date
          and issued.content -> 'exchange' ->> 'source' is not distinct from changed.exchange_source
      ))
  )
$$;
alter table issued_invoices force row level security;
alter table organizations force row level security;
alter table invoices force row level security;
