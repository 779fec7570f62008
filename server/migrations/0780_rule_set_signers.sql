-- Who signed a rule set: name and fingerprint of the key, and when; null where it came without a signature.
alter table waf_rule_sets add column signer jsonb;
