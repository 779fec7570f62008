/** Values typical of most requests: an expression that matches many of them is better tried than searched for. */
import type { Place } from '../firewall/waf/gates.ts'

const prose =
  'Two old friends met near our house last summer, and talked about the garden, its flowers and the weather.'

/** Typical answers of origins. */
const page =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Red shoes - Example shop</title>' +
  '<link rel="stylesheet" href="/css/site.css?v=42"><script src="/js/app.js" defer></script></head><body>' +
  '<nav><a href="/">Home</a> <a href="/products/list?page=3&amp;sort=price_asc">Shoes</a></nav>' +
  `<main><h1>Red shoes</h1><p>${prose}</p><p>Price: $ 42.00 (was $ 60.00), in stock since 2026-11-05.</p>` +
  '<form action="/cart" method="post"><input name="id" value="123456"><button>Buy</button></form></main>' +
  '<script>var cart = { items: [1, 2], total: "42.00" }; if (cart.items.length > 0) { show(cart) }</script></body></html>'
const catalogue = '{"items":[{"id":42,"name":"Red shoes","price":42.5,"tags":["new","sale"],"stock":null}],"total":1}'
const feed =
  '<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"><channel><title>News</title><link>https://www.example.com/</link>' +
  `<item><title>Our garden</title><description>${prose}</description><pubDate>Thu, 05 Nov 2026 12:00:00 GMT</pubDate></item></channel></rss>`

export const ordinaryValues: Record<Place, readonly string[]> = {
  inputs: [
    ...['q', 'sort', 'price_asc', '123456', 'Ada Lovelace', 'ada@example.com', '2026-11-05', '7f3c9a1e5b8d4026', prose],
    ...['red shoes 42', 'summer garden flowers', 'new york hotels', 'old friends', prose.toLowerCase()],
    ...['https://www.example.com/products/list', 'GA1.2.2048708085.1413477326'],
  ],
  headers: [
    ...['www.example.com', 'keep-alive', 'gzip, deflate, br', 'en-US,en;q=0.9,de;q=0.8', 'application/json'],
    ...['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'https://www.example.com/products/list'],
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
  ],
  url: [
    ...['/', 'list', 'q=red+shoes&page=3&sort=price_asc', '/products/list', '/products/list?page=3&sort=price_asc'],
    ...['/img/logo.png', 'logo.png', 'GET /products/list?page=3 HTTP/1.1', 'GET / HTTP/1.1', '/api/v1/items/42'],
  ],
  answer: [page, catalogue, feed, prose, 'ok'],
  body: ['name=Ada&city=London&page=3', `name=Ada+Lovelace&text=${prose.split(' ').join('+')}`, prose],
}

/** An expression that matches at least this share of a place's values counts as one that matches many. */
export const manyOf = 0.25
