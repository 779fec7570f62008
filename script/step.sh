# Sourced: runs one long command quietly, telling what it does and how long it has taken. What the command printed is
# shown only when it failed.

. "$root/deploy/node/failure-cause.sh"

step_log=$(mktemp)
step_pid=
# A shell without a terminal starts background commands deaf to Ctrl-C, so it is passed on as a TERM.
trap 'rm -f "$step_log"' EXIT
trap '[ -n "$step_pid" ] && kill "$step_pid" 2>/dev/null; exit 130' INT TERM

# step "what it does" command arguments…
step() {
  what=$1
  shift
  printf '  %s …\n' "$what"
  began=$(date +%s)
  told=10
  "$@" >"$step_log" 2>&1 &
  step_pid=$!
  while kill -0 "$step_pid" 2>/dev/null; do
    sleep 0.1
    elapsed=$(($(date +%s) - began))
    if [ "$elapsed" -ge "$told" ]; then
      printf '    still at it after %s s\n' "$elapsed"
      told=$((told + 10))
    fi
  done
  if wait "$step_pid"; then
    step_pid=
    printf '    done in %s s\n' "$(($(date +%s) - began))"
    return 0
  fi
  step_pid=
  printf '    failed after %s s.\n' "$(($(date +%s) - began))" >&2
  failure_cause "$step_log" | sed 's/^/    /' >&2
  printf '    What it said:\n' >&2
  grep -vE '^npm (warn|http)' "$step_log" | { head -n 12; echo …; tail -n 12; } | sed 's/^/    | /' >&2
  return 1
}
