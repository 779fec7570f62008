import type { Area } from '../platform/manifest.ts'

export const area: Area = {
  pages: [
    {
      paths: { client: 'nodeManage/zonesList' },
      title: { zh_TW: '區域', zh_CN: '区域', en_US: 'Zones' },
      group: 'network',
      order: 10,
      key: 'z',
      can: 'zones.read',
      load: () => import('./ZonesScreen.tsx').then((file) => file.ZonesScreen),
      words: ['nodes'],
    },
    {
      paths: { client: 'nodeManage/nodesList' },
      title: { zh_TW: '節點', zh_CN: '节点', en_US: 'Nodes' },
      group: 'network',
      order: 20,
      key: 'n',
      can: 'nodes.read',
      load: () => import('./NodesScreen.tsx').then((file) => file.NodesScreen),
      words: ['nodes', 'audit'],
    },
  ],
}
