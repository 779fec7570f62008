export const phrases = {
  title: 'DNS 設定',
  help: '寫入您邊緣網路 DNS 區域的方式。自動憑證以 DNS 驗證網域時需要它；站點的記錄目前仍由您自行設定。',
  provider: '名稱伺服器',
  'provider.help': '有了它，萬用字元網域與尚未指向這裡的網域也能取得自動憑證：客戶只需設定一筆 CNAME。',
  type: '類型',
  'type.none': '不使用',
  'type.rfc2136': '動態更新（RFC 2136）',
  zone: '區域',
  'zone.help': '記錄寫在此區域的 acme 名稱之下。',
  server: '伺服器',
  'server.help': '以 TCP 接受更新的主要名稱伺服器，例如 BIND、Knot 或 PowerDNS；連接埠不是 53 時請一併填寫。',
  key: 'TSIG 金鑰名稱',
  secret: 'TSIG 金鑰',
  'secret.help': 'HMAC-SHA256，以 base64 表示。加密儲存，無法再讀出。',
  'secret.kept': '已儲存；留空則不變更。',
  test: '測試',
  tested: '連線成功！',
  saved: '設定成功',
  remove: '會刪除此設定與金鑰。以 DNS 驗證的網域，憑證到期後將無法再更新。',
} as const

declare module '../../platform/phrases.ts' {
  interface Areas {
    dns: typeof phrases
  }
}
