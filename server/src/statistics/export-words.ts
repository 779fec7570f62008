/** The headers of exported columns, in the three languages. A key without a translation is its own header: `2xx`. */
import type { FastifyRequest } from 'fastify'

type Words = Record<string, string>

const words: Record<'zh_TW' | 'zh_CN' | 'en_US', Words> = {
  zh_TW: {
    time: '時間',
    name: '名稱',
    value: '數值',
    reqCount: '請求數',
    traffic: '流量（位元組）',
    domainName: '網域',
    siteName: '站點',
    cache: '快取命中',
    bandwidth: '平均頻寬（bps）',
    upstreamCount: '回源請求數',
    pass: '放行',
    drop: '攔截',
    block: '攔截',
    challenge: '驗證',
    observe: '僅觀察',
    requests: '請求數',
    sent: '送出位元組',
    received: '接收位元組',
    hit: '命中',
    miss: '未命中',
    bypass: '略過',
    complete: '資料完整（1 是，0 否）',
  },
  zh_CN: {
    time: '时间',
    name: '名称',
    value: '数值',
    reqCount: '请求数',
    traffic: '流量（字节）',
    domainName: '域名',
    siteName: '站点',
    cache: '缓存命中',
    bandwidth: '平均带宽（bps）',
    upstreamCount: '回源请求数',
    pass: '放行',
    drop: '拦截',
    block: '拦截',
    challenge: '验证',
    observe: '仅观察',
    requests: '请求数',
    sent: '发送字节',
    received: '接收字节',
    hit: '命中',
    miss: '未命中',
    bypass: '绕过',
    complete: '数据完整（1 是，0 否）',
  },
  en_US: {
    time: 'Time',
    name: 'Name',
    value: 'Value',
    reqCount: 'Requests',
    traffic: 'Traffic (bytes)',
    domainName: 'Domain',
    siteName: 'Site',
    cache: 'Cache hits',
    bandwidth: 'Mean bandwidth (bps)',
    upstreamCount: 'Origin requests',
    pass: 'Passed',
    drop: 'Blocked',
    block: 'Blocked',
    challenge: 'Challenged',
    observe: 'Observed',
    requests: 'Requests',
    sent: 'Bytes sent',
    received: 'Bytes received',
    hit: 'Hit',
    miss: 'Miss',
    bypass: 'Bypass',
    complete: 'Complete (1 yes, 0 no)',
  },
}

/** The header of a column in the language of a request; zh_TW if it accepts none of ours. */
export function headOf(request: FastifyRequest): (key: string) => string {
  const asked = (request.headers['accept-language'] ?? '').toLowerCase()
  const chinese = /^zh[-_](cn|sg|hans)/.test(asked) ? 'zh_CN' : 'zh_TW'
  const table = words[asked.startsWith('en') ? 'en_US' : chinese]
  return (key) => table[key] ?? key
}
