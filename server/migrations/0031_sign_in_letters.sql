-- How many letters of a kind an address was sent lately.
create index mail_outbox_recipient on mail_outbox (recipient, created_at);
