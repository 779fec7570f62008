/** After a key has led to another page, the next Tab shall be in it; a field that took the focus by itself keeps it. */
export function focusPage(): void {
  const page = document.getElementById('content')
  if (page && !page.contains(document.activeElement)) page.focus()
}
