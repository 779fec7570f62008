/** The icon of each group, separate from the groups, which the sign-in page loads too. */
import {
  Activity,
  Building2,
  ChartNoAxesColumn,
  Flame,
  Gauge,
  Globe,
  Home,
  KeyRound,
  List,
  LogIn,
  type LucideIcon,
  Network,
  ScrollText,
  Server,
  Settings,
  Shield,
  UserRound,
  Users,
  Zap,
} from 'lucide-react'
import type { ConsoleGroup, SiteGroup, ZoneGroup } from '../platform/groups.ts'

export const consoleIcons: Record<ConsoleGroup, LucideIcon> = {
  overview: Home,
  customers: Building2,
  sites: Globe,
  network: Network,
  licensing: KeyRound,
  analytics: ChartNoAxesColumn,
  logs: List,
  accounts: Users,
  team: Users,
  audit: ScrollText,
  system: Server,
  signIn: LogIn,
  me: UserRound,
}

export const siteIcons: Record<SiteGroup, LucideIcon> = {
  overview: Home,
  domains: Globe,
  delivery: Zap,
  security: Shield,
  activity: Activity,
  settings: Settings,
}

export const zoneIcons: Record<ZoneGroup, LucideIcon> = {
  overview: Home,
  ports: Network,
  preheat: Flame,
  firewall: Shield,
  origins: Server,
  limits: Gauge,
}
