# Sourced by script/bootstrap: the Debian packages that Breakwater stands on, and how they come to be there.

edge_packages="nginx libnginx-mod-http-lua libnginx-mod-http-ndk libnginx-mod-http-geoip2
  libnginx-mod-http-brotli-filter libnginx-mod-http-brotli-static lua-resty-core lua-resty-lrucache lua-cjson"
test_packages="chromium fonts-noto-cjk curl openssl systemd"

# require_debian_packages [yes, for those of the tests too]
require_debian_packages() {
  wanted="$edge_packages"
  if [ -n "${1:-}" ]; then wanted="$wanted $test_packages"; fi
  missing=$(missing_of $wanted)
  if [ -z "$missing" ]; then return 0; fi
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    install_packages_of_debian $missing
    return
  fi
  fail "These Debian packages are missing:$missing

Somebody who may install them runs:

  sudo apt-get update && sudo apt-get install --no-install-recommends$missing

and then you run this again. (nginx need not run as a service; Breakwater starts its own.)"
}

# Prints those of the packages that are not installed. A program of the same name that came another way counts.
missing_of() {
  installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null | sed -n 's/^installed //p') || true
  for package in "$@"; do
    case $package in nginx | chromium) if command -v "$package" >/dev/null; then continue; fi ;; esac
    echo "$installed" | grep -qx "$package" || printf ' %s' "$package"
  done
}

install_packages_of_debian() {
  export DEBIAN_FRONTEND=noninteractive
  had_nginx=$(command -v nginx || true)
  forbid_services
  # The lists of a fresh container are empty and old ones name files that are gone; most machines need no update.
  result=0
  step "Installing with apt: $*" apt_install "$@" || result=1
  allow_services
  [ "$result" = 0 ] || fail "apt could not install: $*"
  # The distribution's service would take the ports at the next boot.
  if [ -z "$had_nginx" ] && [ -x /usr/sbin/update-rc.d ]; then update-rc.d nginx disable >/dev/null 2>&1 || true; fi
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
