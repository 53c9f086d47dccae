-- The language of what a customer gets. Null: the organization's.
alter table customers add column language text;
-- What there is was made in English.
alter table invoices add column language text not null default 'en';
alter table invoices alter column language drop default;
