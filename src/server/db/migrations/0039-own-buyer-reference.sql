-- A draft's buyer reference that is null says "none"; one that is left out is the customer's. What recurs was kept with null for both, and meant the
-- customer's.
alter table recurring_invoices no force row level security;
-- A screen that was open before would put the null back: it is stale.
update recurring_invoices set invoice = invoice - 'buyerReference', version = version + 1 where invoice -> 'buyerReference' = 'null'::jsonb;
alter table recurring_invoices force row level security;
