-- What was in shadow before is so on all nodes of its zone.
update settings set value = value || '{"nodes": "all"}' where owner = 'zone' and name = 'wafShadow';
