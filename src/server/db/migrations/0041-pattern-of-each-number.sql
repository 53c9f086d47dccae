-- Which pattern gave a number: the gap report judges the places before it by that one, and not by what the series says today.
-- Null: given before this was written down.
alter table issued_invoices add column pattern text collate "C";
