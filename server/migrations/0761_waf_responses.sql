-- WAF modules of before ask nothing about answers.
update modules set body = body || '{"responses":"off"}' where kind = 'waf' and body <> '{}' and not body ? 'responses';
