/** How a row's text of the WAF begins a word for an exception that did something: `except:17`, by the exception's id, behind all matches. */
export const exceptWord = 'except:'
