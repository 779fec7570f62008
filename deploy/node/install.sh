#!/bin/sh
# Makes this machine a node: nginx from its own Debian, the rest from the control plane's signed bundle. The control plane
# writes above this who it is and what the token is. Run again it replaces the program and keeps the node's data.
#
# Decided by the environment, for machines that differ (with sudo: … | sudo EDGE_HTTP_PORT=8081 bash):
#   BREAKWATER_NODE_PREFIX   where the program goes                       /opt/breakwater-node
#   BREAKWATER_NODE_DATA     the node's own data                          /var/lib/breakwater-node
#   BREAKWATER_NODE_CONFIG   its settings                                 /etc/breakwater-node
#   BREAKWATER_NODE_BUNDLE   a bundle that was carried here by hand       fetched
#   BREAKWATER_ALLOW_UNPATCHED  yes: also with an nginx or OpenSSL that lacks security fixes
#   BREAKWATER_NODE_SERVICE  systemd: the name of its two services; none: they are not made
#   EDGE_HTTP_PORT, EDGE_HTTPS_PORT, BREAKWATER_NODE_NAME, BREAKWATER_NODE_USER, BREAKWATER_TRUSTED_PROXIES,
#   BREAKWATER_NODE_ADDRESSES, BREAKWATER_CACHE_BYTES, BREAKWATER_SPOOL_BYTES, BREAKWATER_KERNEL_BANS    as docs/operating.md has them

set -eu

prefix=${BREAKWATER_NODE_PREFIX:-/opt/breakwater-node}
data=${BREAKWATER_NODE_DATA:-/var/lib/breakwater-node}
config=${BREAKWATER_NODE_CONFIG:-/etc/breakwater-node}
service=${BREAKWATER_NODE_SERVICE:-breakwater-node}

packages="nginx libnginx-mod-http-lua libnginx-mod-http-ndk libnginx-mod-http-brotli-filter
  libnginx-mod-http-brotli-static lua-resty-core lua-resty-lrucache lua-cjson openssl curl ca-certificates"

say() { printf '%s\n' "$*"; }
fail() {
  printf '\nThis machine is not a node yet: %s\n' "$*" >&2
  exit 1
}

main() {
  [ "$(id -u)" = 0 ] || fail 'it takes root. End the command with: | sudo bash'
  command -v apt-get >/dev/null || fail 'nodes run on Debian 12 or 13, and there is no apt-get here.'
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  printf '%s\n' "$authority" >"$work/authority.pem"
  install_packages
  install_prefilter
  install_packet_filter
  require_patched
  fetch_bundle
  check_bundle
  place_program
  write_settings
  start_services
}

install_packages() {
  missing=
  for package in $packages $(injection_package); do
    case $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true) in
      installed) ;;
      *) missing="$missing $package" ;;
    esac
  done
  [ -n "$missing" ] || return 0
  say "Installing$missing"
  # shellcheck disable=SC2086
  with_apt install_with_apt $missing
}

# Searches values for all expressions of the WAF at once. Not for processors without SSE 4.2: each is asked alone there.
install_prefilter() {
  if dpkg-query -W -f '${db:Status-Status}' libvectorscan5 2>/dev/null | grep -qx installed; then return 0; fi
  (with_apt install_with_apt libvectorscan5) ||
    say 'Going on without libvectorscan5: the WAF takes many times the processor time.' >&2
}

# By it the kernel drops packets of banned addresses.
install_packet_filter() {
  if command -v nft >/dev/null; then return 0; fi
  (with_apt install_with_apt nftables) ||
    say 'Going on without nftables: banned addresses are refused by nginx, not dropped by the kernel.' >&2
}

# Packages that are there but older than their security fixes are upgraded, or this machine does not become a node.
require_patched() {
  outdated=$(outdated_packages "$security_versions")
  [ -n "$outdated" ] || return 0
  if [ "${BREAKWATER_ALLOW_UNPATCHED:-}" = yes ]; then
    outdated_sentence "$outdated" >&2
    say 'Going on without these fixes, because BREAKWATER_ALLOW_UNPATCHED=yes.' >&2
    return 0
  fi
  names=$(printf '%s\n' "$outdated" | sed 's/ .*//' | paste -sd ' ')
  say "Upgrading, for their security fixes: $names"
  # shellcheck disable=SC2086
  with_apt upgrade_with_apt $names
  outdated=$(outdated_packages "$security_versions")
  [ -n "$outdated" ] || return 0
  outdated_sentence "$outdated" >&2
  fail 'apt offers nothing newer (above). Is the security suite in its sources? BREAKWATER_ALLOW_UNPATCHED=yes goes on without.'
}

install_with_apt() {
  apt-get install --yes --no-install-recommends "$@" ||
    { apt-get update && apt-get install --yes --no-install-recommends "$@"; }
}

upgrade_with_apt() {
  apt-get update && apt-get install --yes --no-install-recommends --only-upgrade "$@"
}

# with_apt <function> <packages> : runs it while Debian may not start what it installs.
with_apt() {
  had_nginx=$(command -v nginx || true)
  # Debian starts nginx as soon as it is there, unless this file says no; then the ports are taken.
  policy=/usr/sbin/policy-rc.d
  ours=
  if [ ! -e $policy ]; then
    ours=yes
    printf '#!/bin/sh\nexit 101\n' >$policy
    chmod 755 $policy
  fi
  result=0
  export DEBIAN_FRONTEND=noninteractive
  "$@" </dev/null >"$work/apt.log" 2>&1 || result=1
  if [ -n "$ours" ]; then rm -f $policy; fi
  [ "$result" = 0 ] || {
    tail -20 "$work/apt.log" >&2
    failure_cause "$work/apt.log" >&2
    fail 'apt could not install its packages (above). On an isolated network, point apt at your mirror.'
  }
  if [ -z "$had_nginx" ] && [ -x /usr/sbin/update-rc.d ]; then update-rc.d nginx disable >/dev/null 2>&1 || true; fi
}

fetch_bundle() {
  bundle=${BREAKWATER_NODE_BUNDLE:-}
  if [ -n "$bundle" ]; then
    [ -r "$bundle" ] || fail "cannot read $bundle"
    return
  fi
  bundle=$work/bundle.tar.gz
  say "Fetching the node's program from $server"
  curl -fsS --retry 3 --cacert "$work/authority.pem" -H "Authorization: Bearer $token" -o "$bundle" "$server/bundle" ||
    fail "the control plane did not hand out the bundle; a token is good for 15 minutes, and once"
}

# The list of hashes is signed by the installation, and every file is on the list.
check_bundle() {
  tar -xzf "$bundle" -C "$work" --no-same-owner || fail 'the bundle cannot be unpacked'
  unpacked=$work/breakwater-node
  [ -f "$unpacked/SHA256SUMS" ] || fail 'the bundle has no list of its files'
  signing_key "$(cat "$unpacked/SHA256SUMS.key")" >"$work/key.pem"
  [ -s "$work/key.pem" ] || fail 'the bundle is signed with a key that this installation does not know'
  openssl pkeyutl -verify -pubin -inkey "$work/key.pem" -rawin -in "$unpacked/SHA256SUMS" \
    -sigfile "$unpacked/SHA256SUMS.sig" >/dev/null 2>&1 || fail 'the signature of the bundle is wrong'
  (cd "$unpacked" && sha256sum --check --strict --quiet SHA256SUMS) || fail 'the bundle holds other files than it was signed with'
  listed=$(wc -l <"$unpacked/SHA256SUMS")
  held=$(find "$unpacked" -type f ! -name 'SHA256SUMS*' | wc -l)
  [ "$listed" = "$held" ] || fail 'the bundle holds files that nobody signed'
}

place_program() {
  node=$(command -v node || true)
  major=$([ -n "$node" ] && "$node" -p 'process.versions.node.split(".")[0]' || echo 0)
  case $(uname -m)-$bundle_arch in
    x86_64-x64 | aarch64-arm64) ;;
    *)
      [ "$major" -ge 24 ] || fail "the control plane brings Node for $bundle_arch; on $(uname -m) install Node 24 first"
      ln -sf "$node" "$unpacked/bin/node"
      ;;
  esac
  "$unpacked/bin/node" --version >/dev/null || fail "the bundle's Node does not run here"
  mkdir -p "$(dirname "$prefix")"
  rm -rf "$prefix.old"
  if [ -e "$prefix" ]; then mv "$prefix" "$prefix.old"; fi
  mv "$unpacked" "$prefix" 2>/dev/null || cp -a "$unpacked" "$prefix"
  rm -rf "$prefix.old"
  # The workers of nginx read Lua and the country database as a user of their own.
  chmod -R u=rwX,go=rX "$prefix"
}

setting() {
  if [ -n "$2" ]; then printf '%s=%s\n' "$1" "$2"; fi
}

write_settings() {
  mkdir -p "$config" "$data"
  chmod 700 "$config"
  cp "$work/authority.pem" "$config/authority.pem"
  (
    umask 077
    printf '%s\n' "$token" >"$config/token"
    {
      echo '# Written by the installer. After a change: systemctl restart both services.'
      setting BREAKWATER_NODE_DATA "$data"
      setting BREAKWATER_SERVER "$server"
      setting BREAKWATER_SERVER_CA "$config/authority.pem"
      setting BREAKWATER_ENROL_TOKEN_FILE "$config/token"
      setting BREAKWATER_NODE_NAME "${BREAKWATER_NODE_NAME:-}"
      setting BREAKWATER_NODE_USER "${BREAKWATER_NODE_USER:-}"
      setting BREAKWATER_TRUSTED_PROXIES "${BREAKWATER_TRUSTED_PROXIES:-}"
      setting BREAKWATER_NODE_ADDRESSES "${BREAKWATER_NODE_ADDRESSES:-}"
      setting BREAKWATER_CACHE_BYTES "${BREAKWATER_CACHE_BYTES:-}"
      setting BREAKWATER_SPOOL_BYTES "${BREAKWATER_SPOOL_BYTES:-}"
      setting BREAKWATER_KERNEL_BANS "${BREAKWATER_KERNEL_BANS:-}"
      setting EDGE_HTTP_PORT "${EDGE_HTTP_PORT:-}"
      setting EDGE_HTTPS_PORT "${EDGE_HTTPS_PORT:-}"
    } >"$config/node.env"
  )
}

start_services() {
  if [ "$service" = none ] || [ ! -d /run/systemd/system ]; then
    say "The program is in $prefix. There is no systemd to keep it; this runs it, for a container to keep:"
    say "  $prefix/breakwater-node run $config/node.env"
    return
  fi
  for part in agent nginx; do
    sed -e "s|@prefix@|$prefix|g" -e "s|@data@|$data|g" -e "s|@config@|$config|g" -e "s|@service@|$service|g" \
      "$prefix/$part.service" >"/etc/systemd/system/$service-$part.service"
  done
  systemctl daemon-reload
  systemctl enable --quiet "$service-agent" "$service-nginx"
  systemctl restart "$service-nginx" "$service-agent"
  say 'Waiting for the node to join.'
  waited=0
  until [ -s "$data/agent/identity.json" ]; do
    if [ "$waited" -ge 60 ] || systemctl is-failed --quiet "$service-agent"; then
      journalctl -u "$service-agent" -n 20 --no-pager >&2 || true
      fail "it has not joined (above). The services stay: journalctl -u $service-agent"
    fi
    sleep 1
    waited=$((waited + 1))
  done
  rm -f "$config/token"
  sed -i '/^BREAKWATER_ENROL_TOKEN_FILE=/d' "$config/node.env"
  say "This machine is a node now. Its services: $service-agent and $service-nginx."
}

main
