export const phrases = {
  title: '產品',
  help: '產品決定站點由哪些群組服務，以及新站點的上限。',
  name: '名稱',
  add: '新增產品',
  edit: '編輯產品',
  saved: '設定成功',
  removed: '刪除成功',
  portType: '類型',
  'portType.7': '網站（HTTP）',
  'portType.4': '連接埠轉發（四層）',
  main: '主群組',
  backup: '備援群組',
  noGroup: '無',
  'group.main': '{zone}：主群組',
  'group.backup': '{zone}：備援群組',
  groups: '群組',
  'groups.help': '至少選一個主群組。變更後，使用此產品的站點會立即移到新的群組。',
  'groups.none': '還沒有此類型的群組，請先在「區域」新增。',
  sites: '站點',
  siteLimit: '站點上限',
  'siteLimit.help': '使用此產品的站點總數上限；0 表示不限。',
  selfService: '自助開通',
  'selfService.help': '客戶可自行用此產品新增站點。',
  limits: '新站點的上限',
  domains: '網域',
  ports: '連接埠',
  traffic: '每月流量',
  'limits.help': '0 表示不限。已有的站點不變；要一併變更，請在站點清單中「套用產品上限」。',
  empty: '還沒有產品',
  'empty.text': '新增產品後，才能替客戶建立站點。',
  remove: '刪除產品',
  'remove.title': '刪除產品 {name}？',
  'remove.text': '使用中的產品無法刪除。刪除後無法復原。',
} as const

declare module '../../platform/phrases.ts' {
  interface Areas {
    products: typeof phrases
  }
}
