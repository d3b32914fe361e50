# Roots of Debian with nothing but what it cannot do without, in build/packages,
# and commands inside of them.
roots=$PWD/build/packages
suite=bookworm

# Says why there can be no such roots here, or nothing.
root_lacking () {
  [ "$(id -u)" = 0 ] || { echo "this takes root"; return; }
  command -v debootstrap >/dev/null || { echo "debootstrap is not installed"; return; }
  unshare --mount --pid --fork true 2>/dev/null || echo "namespaces are not allowed"
}

# The root that the others are copies of is kept between runs.
root_base () {
  [ ! -e "$roots/base.done" ] || return 0
  rm -rf "$roots/base"
  mkdir -p "$roots"
  debootstrap --variant=minbase $suite "$roots/base" || return
  rm -f "$roots/base/etc/resolv.conf"
  cp -L /etc/resolv.conf "$roots/base/etc/resolv.conf"
  chroot "$roots/base" apt-get update && touch "$roots/base.done"
}

# root_new NAME
root_new () {
  rm -rf "${roots:?}/$1"
  cp -a "$roots/base" "$roots/$1"
}

# inside NAME COMMAND...: nothing that it starts or mounts outlives it.
inside () {
  local root=$roots/$1
  shift
  unshare --mount --pid --fork --kill-child sh -c \
    'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"' "$root" \
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C \
    DEBIAN_FRONTEND=noninteractive "$@"
}

# inside_get NAME PACKAGE...
inside_get () {
  local root=$1
  shift
  inside "$root" apt-get install -y --no-install-recommends "$@"
}
