-- What the tax office knows a business by that has no VAT number, or has one besides: in Germany the Steuernummer.
alter table organizations add column tax_number text;
