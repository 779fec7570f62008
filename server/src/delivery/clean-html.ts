/** Removes everything active from a customer's HTML: a page keeps its look, and nothing else. */
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
    // Not http-equiv: it could redirect visitors elsewhere.
    meta: ['charset', 'name', 'content'],
    font: ['color', 'size', 'face'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['http', 'https', 'data'] },
  allowProtocolRelative: false,
  // Under the policy that the edge sends with the page, styles can load and run nothing.
  allowVulnerableTags: true,
  parseStyleAttributes: false,
}

/** A complete document, in standards mode. */
export const cleanHtml = (html: string): string => `<!doctype html>${sanitizeHtml(html, options)}`
