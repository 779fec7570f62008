/** HTML of a customer's without what could run: a page keeps its look, and nothing else. */
import sanitizeHtml from 'sanitize-html'

const { defaults } = sanitizeHtml

const options: sanitizeHtml.IOptions = {
  allowedTags: [
    ...defaults.allowedTags,
    ...['html', 'head', 'title', 'meta', 'body', 'style', 'img', 'center', 'font', 'details', 'summary', 'picture'],
  ],
  allowedAttributes: {
    '*': ['class', 'id', 'style', 'lang', 'dir', 'title', 'role', 'aria-*', 'align', 'width', 'height', 'hidden'],
    a: ['href', 'name', 'target', 'rel'],
    img: ['src', 'srcset', 'alt', 'loading'],
    // No http-equiv: it could send visitors elsewhere.
    meta: ['charset', 'name', 'content'],
    font: ['color', 'size', 'face'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['http', 'https', 'data'] },
  allowProtocolRelative: false,
  // Styles load and run nothing under the policy that the edge sends with the page.
  allowVulnerableTags: true,
  parseStyleAttributes: false,
}

/** A whole document, in standards mode. */
export const cleanHtml = (html: string): string => `<!doctype html>${sanitizeHtml(html, options)}`
