/** The pages of the shop that the drill attacks. */

export const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><title>${title}</title><body>
  <nav><a href="/">Shop</a> <a href="/cart">Cart</a> <a href="/login">Sign in</a></nav>
  <form action="/search"><label>Search <input name="q"></label><button>Find</button></form>${body}</body></html>`

export const goods = (found: Record<string, unknown>[]) =>
  page(
    'Goods',
    `<h1>${found.length} found</h1><ul>${found
      .map(
        ({ id, name, price }) => `<li>${name}, ${price}
        <form method="post" action="/cart"><input type="hidden" name="item" value="${id}">
        <input type="hidden" name="note" value="It's a gift for John O'Neill &amp; his wife; 50% off?">
        <button>Add ${name}</button></form></li>`,
      )
      .join('')}</ul>`,
  )

export const cart = (added: URLSearchParams | undefined) =>
  page('Cart', `<h1>Cart</h1><p>${added ? `Item ${added.get('item')} added` : 'Empty'}</p>`)

export const signIn = (told = '') =>
  page(
    'Sign in',
    `<h1>Sign in</h1><p>${told}</p><form method="post" action="/login">
    <label>Mail <input name="user"></label><label>Password <input name="password" type="password"></label>
    <button>Sign in</button></form>`,
  )

export const editor = (article: string) =>
  page(
    'Editor',
    `<h1>Editor</h1><form method="post" action="/editor"><label>Text
    <textarea name="html" rows="20" cols="80"></textarea></label><button>Save</button></form><article>${article}</article>`,
  )

/** What a rich-text editor submits for a page with bold text, links, lists, an image, a table and code in its prose. */
export const article = `<h2>How we count <strong>mugs</strong></h2>
<p>See <a href="https://example.com/mugs?size=2&amp;kind=tea" target="_blank" rel="noopener">our mugs</a>, <em>please</em>.</p>
<ul><li>Blue</li><li>Red &amp; white</li></ul>
<p><img src="/images/mug.jpg" alt="A mug" width="320" height="200"></p>
<table border="1" style="width: 100%"><tbody><tr><td>Mug</td><td>12.50</td></tr></tbody></table>
<p>Our colleague runs <code>SELECT name, price FROM goods WHERE price &lt; 20 ORDER BY name</code> every morning.</p>`
