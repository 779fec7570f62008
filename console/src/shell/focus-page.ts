/**
 * After a shortcut has opened another page, the next Tab must be inside it; a field that focused itself keeps the
 * focus.
 */
export function focusPage(): void {
  const page = document.getElementById('content')
  if (page && !page.contains(document.activeElement)) page.focus()
}
