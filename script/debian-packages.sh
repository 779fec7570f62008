# Sourced by script/bootstrap: the Debian packages that Breakwater stands on, and how they come to be there.

edge_packages="nginx libnginx-mod-http-lua libnginx-mod-http-ndk
  libnginx-mod-http-brotli-filter libnginx-mod-http-brotli-static lua-resty-core lua-resty-lrucache lua-cjson"
# Searches values for all expressions of the WAF at once; without it each is asked alone. Not for processors without SSE 4.2.
useful_packages="libvectorscan5"
# The rules of the WAF, which the control plane compiles for its nodes, and the verifier of rule sets that are signed.
server_packages="gpgv modsecurity-crs"
test_packages="caddy chromium chromium-headless-shell fonts-noto-cjk curl iproute2 nftables openssl pebble poppler-utils systemd"
security_versions=deploy/node/security-versions.tsv
. deploy/node/package-versions.sh

# require_debian_packages [yes, for those of the tests too]
require_debian_packages() {
  wanted="$edge_packages $(injection_package) $server_packages"
  if [ -n "${1:-}" ]; then wanted="$wanted $test_packages"; fi
  missing=$(missing_of $wanted)
  if [ -n "$missing" ]; then install_missing $missing; fi
  install_useful
  require_patched "${1:-}"
}

# Nothing needs these, so that they are missing ends nothing.
install_useful() {
  missing=$(missing_of $useful_packages)
  [ -n "$missing" ] || return 0
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null && (install_packages_of_debian $missing); then return 0; fi
  printf '\nThe WAF takes many times the processor time without%s, which could not be installed.\n\n' "$missing" >&2
}

install_missing() {
  missing=$(printf ' %s' "$@")
  if [ "${BREAKWATER_ALLOW_UNPATCHED:-}" != yes ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    install_packages_of_debian $missing
    return
  fi
  fail "These Debian packages are missing:$missing

Somebody who may install them runs:

  sudo apt-get update && sudo apt-get install --no-install-recommends$missing

and then you run this again. (nginx need not run as a service; Breakwater starts its own.)"
}

# Refuses packages older than their security fixes; tests only warn. As root they are upgraded first.
require_patched() {
  rows=$(cat "$security_versions")
  outdated=$(outdated_packages "$rows")
  [ -n "$outdated" ] || return 0
  names=$(printf '%s\n' "$outdated" | sed 's/ .*//' | paste -sd ' ')
  if [ "${BREAKWATER_ALLOW_UNPATCHED:-}" != yes ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    forbid_services
    step "Upgrading with apt, for their security fixes: $names" apt_upgrade $names || true
    allow_services
    outdated=$(outdated_packages "$rows")
    [ -n "$outdated" ] || return 0
  fi
  told="These packages lack security fixes:

$(outdated_sentence "$outdated")

Somebody who may install packages runs:

  sudo apt-get update && sudo apt-get install --only-upgrade $names"
  if [ -n "${1:-}" ] || [ "${BREAKWATER_ALLOW_UNPATCHED:-}" = yes ]; then
    printf '\nWarning. %s\n\n' "$told" >&2
    return 0
  fi
  fail "$told

and then you run this again. Where there is no newer package yet, BREAKWATER_ALLOW_UNPATCHED=yes starts all the same."
}

apt_upgrade() {
  export DEBIAN_FRONTEND=noninteractive
  apt-get update && apt-get install --yes --no-install-recommends --only-upgrade "$@"
}

# Prints those of the packages that are not installed. A program of the same name that came another way counts.
missing_of() {
  installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null | sed -n 's/^installed //p') || true
  for package in "$@"; do
    case $package in caddy | nginx | chromium) if command -v "$package" >/dev/null; then continue; fi ;; esac
    echo "$installed" | grep -qx "$package" || printf ' %s' "$package"
  done
}

install_packages_of_debian() {
  export DEBIAN_FRONTEND=noninteractive
  had=
  for service in caddy nginx; do if command -v "$service" >/dev/null; then had="$had $service "; fi; done
  forbid_services
  # The lists of a fresh container are empty and old ones name files that are gone; most machines need no update.
  result=0
  step "Installing with apt: $*" apt_install "$@" || result=1
  allow_services
  [ "$result" = 0 ] || fail "apt could not install: $*"
  # The distribution's services would take the ports at the next boot. Caddy's has no script that update-rc.d knows.
  for service in caddy nginx; do
    case $had in *" $service "*) continue ;; esac
    if [ -x /usr/sbin/update-rc.d ]; then update-rc.d "$service" disable >/dev/null 2>&1 || true; fi
    if command -v systemctl >/dev/null; then systemctl disable "$service" >/dev/null 2>&1 || true; fi
  done
}

apt_install() {
  apt-get install --yes --no-install-recommends "$@" && return 0
  apt-get update && apt-get install --yes --no-install-recommends "$@"
}

# Debian starts a service as soon as its package is there, unless this file says no.
policy=/usr/sbin/policy-rc.d
policy_is_ours=
forbid_services() {
  if [ -e "$policy" ]; then return 0; fi
  policy_is_ours=yes
  trap 'allow_services; rm -f "$step_log"' EXIT
  printf '#!/bin/sh\n# Written by script/bootstrap of Breakwater while it installs packages, and removed afterwards.\nexit 101\n' >"$policy"
  chmod 755 "$policy"
}

allow_services() {
  if [ -n "$policy_is_ours" ]; then rm -f "$policy"; fi
  policy_is_ours=
}
