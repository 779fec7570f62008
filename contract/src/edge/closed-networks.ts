/**
 * Networks in which no origin may be, for both the control plane and the edge: everything that is not the public
 * internet, and IPv6 networks that embed IPv4 addresses (NAT64, 6to4, Teredo, SIIT, IPv4-compatible), through which a
 * private one could be reached under another address. Source: IANA's special-purpose registries of IPv4 and IPv6 (RFC
 * 6890). Imports nothing: the request path compiles it to Lua.
 */
export const closedNetworks = [
  '0.0.0.0/8', // this network; 0.0.0.0 itself reaches the machine
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carriers' shared space
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, metadata services
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/3', // multicast, reserved, broadcast
  // Of IPv6, only 2000::/3 is allocated for public use. The rest holds loopback, IPv4-compatible, SIIT
  // (::ffff:0:0:0/96), NAT64 (64:ff9b::/96, 64:ff9b:1::/48), discard (100::/64), unique local, link-local, site-local
  // and multicast.
  '::/3',
  '4000::/2',
  '8000::/1',
  '2001::/23', // protocol assignments, Teredo among them
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
] as const

/** All networks by which a machine reaches itself. */
export const loopbackNetworks = ['0.0.0.0/8', '127.0.0.0/8', '::/127'] as const
