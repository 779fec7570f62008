/**
 * Lua ACL: rules with conditions and an action, evaluated after all other guards that need no body. A customer's rule
 * is a typed tree, which has a text form (`acl/parse.ts`) and is evaluated by our own code.
 */
import { z } from 'zod'
import { isReservedHeader, isReservedRequestHeader } from '../edge/header-names.ts'
import { endpoint } from '../endpoint.ts'
import { Id, Memo, Name, Priority, RuleMode } from '../fields.ts'
import { Backtest, loggedHeaders } from '../firewall/backtest.ts'
import { type AclAction, aclActionFields, checkAction } from './acl/actions.ts'
import { AclConditions, AclConditionsShown, asksOnly } from './acl/condition.ts'
import { moduleFamily } from './module-family.ts'

export const LuaAcl = z.strictObject({
  name: Name,
  conditions: AclConditions,
  ...aclActionFields,
  mode: RuleMode.default('enforce'),
  priority: Priority.default(100).describe('Lower numbers are asked first.'),
  expiresAt: z.iso
    .datetime({ offset: true })
    .nullable()
    .default(null)
    .describe('When it stops by itself; null for never.'),
  memo: Memo.default(''),
  enabled: z.boolean().default(true),
})
export type LuaAcl = z.output<typeof LuaAcl>

/** Whether the log has everything that a rule's conditions test, so that the rule can be tried on it. */
export const isAclLogged = (conditions: LuaAcl['conditions']): boolean =>
  asksOnly(conditions, ({ field, name }) =>
    field === 'header'
      ? loggedHeaders.includes(name.toLowerCase())
      : !['cookie', 'scheme', 'bodyBytes'].includes(field),
  )

/**
 * The most that the rules of one module may cost together. A domain has one module, so this bounds the cost per
 * request.
 */
export const aclCostMax = 2000

/** Checks a rule's action. */
function checkRule(rule: AclAction, context: z.RefinementCtx): void {
  checkAction(rule, context)
  const { header } = rule
  const isReserved = header?.type === 'request' ? isReservedRequestHeader : isReservedHeader
  if (header && isReserved(header.key))
    context.addIssue({ code: 'custom', message: 'reservedHeader', path: ['header', 'key'] })
}

const family = moduleFamily('luaAcls', {
  one: 'luaAcl',
  many: 'luaAcls',
  items: { one: 'rule', many: 'rules' },
  item: LuaAcl,
  shown: LuaAcl.extend({ conditions: AclConditionsShown }),
  addsOne: true,
  max: 100,
  noun: 'ACL module',
  itemNoun: 'ACL rule',
  check: checkRule,
})

export const luaAcls = {
  ...family,
  calls: {
    ...family.calls,
    enableItem: endpoint(
      'site.module.luaAcl.rule.enable',
      'PUT',
      '/:tier/site/:siteId/module/luaAcl/:moduleId/rule/enable',
      {
        can: 'modules.write',
        body: z.strictObject({ id: Id, enabled: z.boolean() }),
        summary: 'Enables or disables an ACL rule.',
      },
    ),
    backtest: endpoint(
      'site.module.luaAcl.rule.backtest',
      'POST',
      '/:tier/site/:siteId/module/luaAcl/:moduleId/rule/backtest',
      {
        can: 'firewall.read',
        body: z
          .strictObject({
            rule: LuaAcl.superRefine(checkRule),
            id: Id.optional().describe('The rule that it would replace.'),
            hours: z.number().int('number').min(1, 'number').max(24, 'number').default(24),
          })
          .superRefine(({ rule }, context) => {
            if (!isAclLogged(rule.conditions))
              context.addIssue({ code: 'custom', path: ['rule', 'conditions'], message: 'conditionNotLogged' })
          }),
        reply: Backtest,
        audit: false,
        beyond: true,
        summary: 'Tries an ACL rule on the site’s traffic of the last hours without saving it.',
      },
    ),
  },
}
