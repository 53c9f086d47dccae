-- A step whose day is changed begins anew: what it sent on the day it had does not stand for the one it has.
create unique index invoice_mails_by_step_and_day on invoice_mails (organization_id, invoice_id, reminder_step, reminder_days) where reminder_step is not null;
drop index invoice_mails_by_step;
