// Sets the theme and the language of the document before anything is painted. No imports: it runs as a plain script.
;(() => {
  const theme = localStorage.getItem('breakwater.theme')
  const dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.classList.toggle('dark', dark)
  const locale = localStorage.getItem('breakwater.locale')
  if (locale) document.documentElement.lang = locale.replace('_', '-')
})()
