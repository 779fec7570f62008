/** The output of rendering a document: the parts of an artefact, its domains, lists and references to secrets. */
import type { Artefact, ArtefactDomain } from '@breakwater/contract/edge/artefact.ts'
import { encodeIpSet } from '@breakwater/contract/edge/ip-set.ts'
import type { Part as EdgePart } from '@breakwater/contract/edge/parts.ts'
import { canonicalJson, sha256 } from './canonical.ts'
import type { SiteBody, SiteDocument } from './document.ts'

type SitePartKind = Exclude<keyof Artefact['parts'], 'wafRules' | 'wafResponses'>
type Fields<K extends EdgePart['kind']> = Omit<Extract<EdgePart, { kind: K }>, 'kind'>

type Named = { hash: string; bytes: Buffer }
/** A WAF rule set: its rules for requests, and those for responses. */
export type WafObjects = { requests: Named; responses: Named | undefined }

export class Rendering {
  readonly document: SiteDocument
  /** The WAF rule set to use instead of the default. */
  readonly ruleSet: WafObjects | undefined
  /** Objects by hash. */
  readonly objects = new Map<string, Buffer>()
  readonly lists = new Set<string>()
  readonly requires = new Set<string>()
  readonly domains: ArtefactDomain[] = []
  readonly errorPages: string[] = []
  #wafRules: string | undefined
  #wafResponses: string | undefined
  readonly secrets: Artefact['secrets'] = {}
  readonly #fields = new Map<SitePartKind, object>()
  readonly #firewalls = new Map<ArtefactDomain, Partial<Fields<'firewall'>>>()
  readonly #known: Map<object, Buffer>

  /** `known` caches the bytes of what documents gathered together share. */
  constructor(document: SiteDocument, known: Map<object, Buffer>, ruleSet?: WafObjects) {
    this.document = document
    this.ruleSet = ruleSet
    this.#known = known
  }

  get site(): SiteBody {
    return this.document.site
  }

  /** Adds fields to a part of the artefact. Several parts of a document may contribute to it. */
  set<K extends SitePartKind>(kind: K, fields: Partial<Fields<K>>): void {
    this.#fields.set(kind, { ...this.#fields.get(kind), ...fields })
  }

  /** Adds rules to a domain's own firewall. Several parts of a document may contribute to it. */
  setFirewall(domain: ArtefactDomain, rules: Partial<Fields<'firewall'>>): void {
    this.#firewalls.set(domain, { ...this.#firewalls.get(domain), ...rules })
  }

  /** Adds a reference to a module's secret that nodes need. */
  needSecret(ref: string): void {
    this.secrets.tokenAuths = [...new Set([...(this.secrets.tokenAuths ?? []), ref])].sort()
  }

  /** Adds a reference to the secret of an edge authentication group that nodes need. */
  needAuthGroup(ref: string): void {
    this.secrets.authGroups = [...new Set([...(this.secrets.authGroups ?? []), ref])].sort()
  }

  /** Stores a list of addresses in its binary form. Returns its hash. */
  keepList(ips: string[]): string {
    const hash = this.keep(Buffer.from(encodeIpSet(ips)))
    this.lists.add(hash)
    return hash
  }

  /** Stores the WAF rule set, which all sites share. */
  keepWafRules(bytes: Buffer): void {
    this.#wafRules ??= this.keep(bytes)
  }

  /** Stores its rules for responses. */
  keepWafResponses(bytes: Buffer): void {
    this.#wafResponses ??= this.keep(bytes)
  }

  /** Stores a part that sites share, rendered once for all of them. Returns its hash. */
  keepShared(source: object, make: () => EdgePart): string {
    const bytes = this.#known.get(source) ?? Buffer.from(canonicalJson(make()))
    this.#known.set(source, bytes)
    return this.keep(bytes)
  }

  /** Stores a part that domains refer to. Returns its hash. */
  keepPart(part: EdgePart): string {
    return this.keep(Buffer.from(canonicalJson(part)))
  }

  /** Stores the parts that were set. Returns the site's hashes by kind; those of a domain are in the domain. */
  keepParts(): Artefact['parts'] {
    for (const [domain, rules] of this.#firewalls)
      domain.firewall = this.keep(Buffer.from(canonicalJson({ kind: 'firewall', ...rules })))
    const entries = [...this.#fields].map(([kind, fields]) => [
      kind,
      this.keep(Buffer.from(canonicalJson({ kind, ...fields }))),
    ])
    const parts = Object.fromEntries(entries) as Artefact['parts']
    return {
      ...parts,
      ...(this.#wafRules !== undefined && { wafRules: this.#wafRules }),
      ...(this.#wafResponses !== undefined && { wafResponses: this.#wafResponses }),
    }
  }

  private keep(bytes: Buffer): string {
    const hash = sha256(bytes).toString('hex')
    this.objects.set(hash, bytes)
    return hash
  }
}
