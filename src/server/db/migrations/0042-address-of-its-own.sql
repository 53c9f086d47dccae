-- Whether a mail went elsewhere than to the customer as they were known then: only such an address is the invoice's own, and outlives what the customer's becomes.
-- Of the mails of before it is not known; they go on as they did.
alter table invoice_mails add column own_recipient boolean not null default true;
