/** The parts of the brand outside the page: the accent colour of both themes, and the favicon. */
import { useEffect } from 'react'
import { useLogo } from '../platform/brand.ts'

export function BrandHead() {
  const logo = useLogo()
  const icon = logo?.favicon
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
    if (!icon || !link) return
    const { href, type } = link
    link.type = 'image/png'
    link.href = icon
    return () => {
      link.type = type
      link.href = href
    }
  }, [icon])
  const palette = logo?.palette
  if (!palette) return null
  // Includes the element name, so that it has a higher specificity than the product's own tokens.
  return (
    <style>{`html:root{--accent:${palette.accent};--accent-bg:${palette.accentBg}}html.dark{--accent:${palette.darkAccent};--accent-bg:${palette.darkAccentBg}}`}</style>
  )
}
