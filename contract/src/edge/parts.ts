/** Every kind of part that an artefact can point at. */
import { z } from 'zod'
import { LuaAclsPart } from './acl-part.ts'
import { ApiShieldPart } from './api-shield-part.ts'
import { AuthRulesPart } from './auth-rules.ts'
import {
  CorsPart,
  CustomHeadersPart,
  ProxyRewritesPart,
  TokenAuthsPart,
  UrlRedirectsPart,
  WafPart,
} from './module-parts.ts'
import { BandwidthPart, CachePart, CertificatePart, ErrorPagesPart, FirewallPart, SettingsPart } from './site-parts.ts'
import { WafRulesPart } from './waf-rules.ts'

export const Part = z.discriminatedUnion('kind', [
  SettingsPart,
  FirewallPart,
  CachePart,
  CustomHeadersPart,
  UrlRedirectsPart,
  CertificatePart,
  CorsPart,
  ProxyRewritesPart,
  ErrorPagesPart,
  BandwidthPart,
  TokenAuthsPart,
  WafPart,
  WafRulesPart,
  AuthRulesPart,
  LuaAclsPart,
  ApiShieldPart,
])
export type Part = z.output<typeof Part>
