# Part of script/bootstrap (sourced) and of the node's installer (pasted in by the control plane).

# failure_cause <log> : prints why npm, apt or curl could not fetch or write, in words, and what to do. Nothing where the
# log names no such cause.
failure_cause() {
  has() { grep -qiE "$1" "$log"; }
  # The line that says what was tried.
  said() {
    grep -oE 'https?://[^ ]+ attempt [0-9]+ failed with [A-Z_]+|[Tt]emporary failure resolving .{1,80}|[Cc]ould not (resolve|connect) .{1,80}|getaddrinfo .{1,80}|connect E[A-Z]+ .{1,60}' "$log" | head -n 1
  }
  log=$1
  proxy=${https_proxy:-${HTTPS_PROXY:-${http_proxy:-${HTTP_PROXY:-}}}}
  # The password of a proxy is nobody's to read.
  proxy=$(printf %s "$proxy" | sed 's|//[^@/]*@|//…@|')
  if has 'CERT_HAS_EXPIRED|CERT_NOT_YET_VALID|certificate (has expired|is not yet valid)|certificate chain uses expired'; then
    echo "Cause: a certificate is not valid at this machine's time ($(date -u '+%F %H:%M') UTC). Is its clock right?"
  elif has 'SELF_SIGNED_CERT|DEPTH_ZERO_SELF|UNABLE_TO_(GET|VERIFY)|self.signed certificate|local issuer|certificate (verify|verification) failed|certificate is NOT trusted|ERR_TLS_CERT'; then
    echo 'Cause: the certificate of the other side is not trusted here. A proxy on the way opens TLS, or a CA is missing.'
    echo '  npm:       NODE_EXTRA_CA_CERTS=/path/to/ca.pem'
    echo '  apt, curl: copy it to /usr/local/share/ca-certificates/<name>.crt and run update-ca-certificates'
  elif has 'ENOTFOUND|EAI_AGAIN|could not resolve|temporary failure resolving|name or service not known'; then
    echo "Cause: DNS. $(said)"
    echo '  This machine cannot resolve that name: look at /etc/resolv.conf, or name a proxy in HTTPS_PROXY.'
  elif has '(^|[^0-9])407([^0-9]|$)|proxy authentication'; then
    echo "Cause: the proxy ${proxy:-(of the configuration of npm or apt)} wants a name and password: HTTPS_PROXY=http://name:password@host:port"
  elif has 'ECONNREFUSED|ETIMEDOUT|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ERR_SOCKET_TIMEOUT|connection (refused|timed out|reset)|could not connect|unable to connect|network is unreachable|no route to host'; then
    echo "Cause: no connection${proxy:+ through the proxy $proxy}. $(said)"
    echo '  A firewall, or a proxy that HTTPS_PROXY should name; of npm another registry is set with npm config set registry.'
  elif has 'ENOSPC|no space left'; then
    echo 'Cause: the disk is full.'
  elif has 'code E40[13]|40[13] +(Forbidden|Unauthorized)'; then
    echo 'Cause: the registry or mirror refuses this machine (401 or 403): it wants a token, or does not carry the package.'
  elif has 'EACCES|permission denied'; then
    echo 'Cause: a file here belongs to somebody else. Was an earlier run made as root?'
  fi
}
