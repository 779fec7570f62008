# Part of script/bootstrap (sourced) and of the node's installer (pasted in by the control plane).

# The package of libmodsecurity.so.3, of which the WAF takes libinjection: Debian 13 has another name for it.
injection_package() {
  case $(. "${OS_RELEASE:-/etc/os-release}" && printf %s "${VERSION_CODENAME:-}") in
    bookworm) echo libmodsecurity3 ;;
    *) echo libmodsecurity3t64 ;;
  esac
}

# outdated_packages <rows of security-versions.tsv> : prints `package installed minimum` for each package of this Debian
# release that is installed in an older version than the row allows. Nothing for a release without rows.
outdated_packages() {
  this_release=$(. "${OS_RELEASE:-/etc/os-release}" && printf %s "${VERSION_CODENAME:-}")
  printf '%s\n' "$1" | while read -r release package minimum; do
    [ "$release" = "$this_release" ] || continue
    installed=$(dpkg-query -W -f '${db:Status-Status} ${Version}\n' "$package" 2>/dev/null |
      sed -n 's/^installed //p' | head -n 1)
    [ -n "$installed" ] || continue
    dpkg --compare-versions "$installed" ge "$minimum" || printf '%s %s %s\n' "$package" "$installed" "$minimum"
  done
}

# outdated_sentence <output of outdated_packages>
outdated_sentence() {
  printf '%s\n' "$1" | while read -r package installed minimum; do
    printf '  %s %s is installed; %s has its security fixes\n' "$package" "$installed" "$minimum"
  done
}
