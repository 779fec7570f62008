# systemd as the first process of namespaces of its own (mounts, processes, names, cgroups), over a view of this machine's
# files to which it may write without changing them. The network stays the machine's. Run by systemd.ts in those namespaces,
# with the repository and an empty folder.
set -eu
checkout=$1
place=$2

mount -t tmpfs tmpfs "$place"
mkdir "$place/changed" "$place/work" "$place/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$place/changed,workdir=$place/work" "$place/root"
cd "$place/root"

mount -t proc proc proc
mount -t sysfs -o ro sysfs sys
if [ -d /sys/fs/cgroup/systemd ]; then
  mount -t tmpfs tmpfs sys/fs/cgroup
  mkdir sys/fs/cgroup/systemd sys/fs/cgroup/unified
  mount -t cgroup -o none,name=systemd cgroup sys/fs/cgroup/systemd
  mount -t cgroup2 cgroup2 sys/fs/cgroup/unified
else
  mount -t cgroup2 cgroup2 sys/fs/cgroup
fi
mount -t tmpfs tmpfs run
mount -t tmpfs -o mode=1777 tmpfs tmp
mount -t tmpfs tmpfs dev
while read -r name major minor; do
  mknod -m 666 "dev/$name" c "$major" "$minor"
done <<DEVICES
null 1 3
zero 1 5
full 1 7
random 1 8
urandom 1 9
tty 5 0
console 5 1
DEVICES
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=666 devpts dev/pts
mount -t tmpfs -o mode=1777 tmpfs dev/shm
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
mkdir -p opt/breakwater
mount --bind "$checkout" opt/breakwater

# Nothing of the machine's own starts, and nothing changes its kernel's settings.
rm -rf etc/systemd/system/*.wants usr/lib/systemd/system/*.wants
printf '[Unit]\nDescription=Nothing but what tests start\nRequires=basic.target\nAfter=basic.target\n' \
  >etc/systemd/system/tests.target

container=lxc exec chroot . /lib/systemd/systemd --system --unit=tests.target --log-target=null --show-status=no
