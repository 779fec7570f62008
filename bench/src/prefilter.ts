/**
 * How often the WAF's prefilter has PCRE run an expression on an ordinary request, at paranoia level 1 (target: at most
 * 5 %): every sentence of our documents and every text of the consoles as a search, in a form or in JSON.
 * Run: `node bench/src/prefilter.ts`.
 */
import { Box } from '../../edge/box/harness.ts'
import { StubOrigin } from '../../edge/box/origin.ts'
import { givePrefilter } from '../../edge/box/prefilter.ts'
import { coreRuleSet } from '../../server/src/waf/core-rule-set.ts'
import { matchesOf } from '../../tests/waf/crs-cases.ts'
import { host, requestsOfPeople } from '../../tests/waf/people-requests.ts'

const waf = { rules: coreRuleSet().part, module: { paranoia: 1, threshold: 100, bodyBytes: 131_072 } }
const { rules } = waf.rules
/**
 * Run on much of what people write: they look for a percent sign in the URL, and for what may start a shell command.
 */
const common = [920_220, 932_100, 932_105]
const commonGates = common.map((id) => rules.findIndex((rule) => rule.id === id) + 1)

/**
 * Hooked into the code that runs the expressions for which the prefilter reports a possible match; the edge does not
 * record the other results of the prefilter. Answers at `/counted` on the control socket.
 */
const counting = `
local common = { ${commonGates.map((gate) => `[${gate}] = true`).join(', ')} }
local function upvalue(of, name)
  for n = 1, 60 do
    local found, value = debug.getupvalue(of, n)
    if found == name then return value, n end
  end
  error("no " .. name)
end
local sifted = upvalue(require("edge.src.request.firewall.waf.sieve").gatesOf, "sifted")
local ask, place = upvalue(sifted, "askSearched")
counts, gates, seen = { 0, 0 }, {}, { {}, {} }
local function note(at, id)
  if seen[at][id] then return end
  seen[at][id], counts[at] = true, counts[at] + 1
end
debug.setupvalue(sifted, place, function(found, asked, candidates, ...)
  for _, one in ipairs(asked) do
    for _, gate in ipairs(candidates) do
      if gate == one.gate then
        note(1, ngx.var.bw_id)
        if not common[gate] then note(2, ngx.var.bw_id) end
        gates[gate] = (gates[gate] or 0) + 1
      end
    end
  end
  return ask(found, asked, candidates, ...)
end)
`
const told = `location = /counted { content_by_lua_block { ngx.say(require("cjson").encode({ counts = counts, gates = (function()
  local said = {} for gate, count in pairs(gates) do said[tostring(gate)] = count end return said end)() })) } }`

const origin = await StubOrigin.start((_, reply) => reply.setHeader('cache-control', 'no-store').end('origin'))
const box = await Box.start(
  { workers: 1 },
  (disk) => disk.feed(disk.site({ hosts: [host], origins: [{ port: origin.port }], requires: ['waf'], waf })),
  (conf) =>
    conf.replace(/(init_by_lua_block \{)/, `$1${counting}`).replace(/(listen [^;]*control\.sock[^;]*;)/, `$1 ${told}`),
)
try {
  await givePrefilter(box)
  const requests = await requestsOfPeople()
  const counted = () => box.control<{ counts: [number, number]; gates: Record<string, number> }>('GET', '/counted')
  const { counts: before } = await counted()
  const found = await matchesOf(box, requests)
  const { counts, gates } = await counted()
  const percent = (count: number) => `${((100 * count) / requests.length).toFixed(1)} %`
  const most = Object.entries(gates)
    .sort(([, a], [, b]) => b - a)
    .slice(0, 10)
    .map(([gate, count]) => `${rules[Number(gate) - 1]?.id} ${count}`)
  const matched = [...found.values()].filter((rules) => rules !== '').length
  console.log(
    `${requests.length} requests: the prefilter fires on ${percent(counts[0] - before[0])}, with other rules than ${common.join(', ')} on ${percent(counts[1] - before[1])}; rules match ${percent(matched)}; most often ${most.join(', ')}`,
  )
} finally {
  await box.end()
  await origin.end()
}
