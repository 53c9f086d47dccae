-- Which date of supply a rule's invoices have: day, that each is for, or none, as those that there are had none.
alter table recurring_invoices add column supply_on text not null default 'none' check (supply_on in ('day', 'none'));
