/** Exclusions of rules, or of values that they inspect: for every request, or for those that a rule matched. */
import type { WafTarget } from '@breakwater/contract/edge/waf-rules.ts'
import { type Directive, type Place, SecLangError } from './directives.ts'
import { targetsOf } from './targets.ts'

/** `targets`: excludes only these values, and not the rule. */
export type Control = { text: string; isMeant: (rule: Named) => boolean; targets: WafTarget[] | undefined }
export type Exclusion = Control & { at: Directive }

/** The properties by which rules are selected. */
export type Named = { id: number; tags: readonly string[]; message: string }

const directiveOf = /^SecRule(Remove|UpdateTarget)By(Id|Tag|Msg)$/i

/** Undefined if the directive is not an exclusion. Throws `SecLangError`. */
export function exclusionOf(directive: Directive): Exclusion | undefined {
  const [, act, by] = directiveOf.exec(directive.name) ?? []
  if (act === undefined) return undefined
  const given = directive.arguments
  const isRemoved = act.toLowerCase() === 'remove'
  // Ids may be given one by one. A third argument would replace what the rule inspects.
  const chosen = isRemoved && isId(by!) ? given.join(' ') : (given[0] ?? '')
  if (!isRemoved && given.length !== 2) throw new SecLangError(directive, `${directive.name} of ${chosen} is not known`)
  return {
    text: [directive.name, ...given].join(' '),
    isMeant: chosenBy(by!, chosen, directive, directive.name),
    targets: isRemoved ? undefined : targetsOf(given[1]!, directive),
    at: directive,
  }
}

/** `ruleRemoveById=942100`, `ruleRemoveTargetByTag=attack-sqli;ARGS:pwd`. Throws `SecLangError`. */
export function controlOf(text: string, place: Place): Control {
  const [, what, by, chosen = '', target] = /^ruleRemove(Target)?By(Id|Tag|Msg)=([^;]+)(?:;(.+))?$/i.exec(text) ?? []
  if (by === undefined || (what === undefined) !== (target === undefined))
    throw new SecLangError(place, `the action ctl:${text} is not known`)
  return {
    text: `ctl:${text}`,
    isMeant: chosenBy(by, chosen, place, `ctl:${text}`),
    targets: target === undefined ? undefined : targetsOf(target, place).map((one) => ({ ...one, except: true })),
  }
}

const isId = (by: string): boolean => by.toLowerCase() === 'id'

function chosenBy(by: string, text: string, place: Place, what: string): Control['isMeant'] {
  if (isId(by)) {
    const ranges = text
      .split(/[\s,]+/)
      .filter(Boolean)
      .map((one) => rangeOf(one, place, what))
    return ({ id }) => ranges.some(([first, last]) => id >= first && id <= last)
  }
  const pattern = expressionOf(text, place)
  return by.toLowerCase() === 'tag'
    ? ({ tags }) => tags.some((tag) => pattern.test(tag))
    : ({ message }) => pattern.test(message)
}

function rangeOf(text: string, place: Place, what: string): [number, number] {
  const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(text) ?? []
  if (first === undefined) throw new SecLangError(place, `${what} of ${text} is not known`)
  return [Number(first), Number(last)]
}

/**
 * ModSecurity 2 takes tags and messages as regular expressions; those of version 3, which are whole tags, match
 * themselves.
 */
function expressionOf(text: string, place: Place): RegExp {
  try {
    return new RegExp(text)
  } catch (cause) {
    throw new SecLangError(
      place,
      `the expression ${text} is not known: ${cause instanceof Error ? cause.message : cause}`,
    )
  }
}
