#!/bin/sh
# Installs Cascade from an archive, which needs no Java on this machine.
#
#   ./install.sh [--to DIR] [--link DIR] [--sha256 DIGEST] [--no-caches] ARCHIVE
#
# ARCHIVE is a file or an https:// address. Its digest is the one that is given, or that of the file SHA256SUMS
# beside it; where SHA256SUMS.asc is beside that, gpg must find its signature good. Everything goes to DIR, a
# link to the command to the other DIR: /opt/cascade and /usr/local/bin for root, ~/.local/share/cascade and
# ~/.local/bin for others. At the end caches are made that make every start quicker, with some 25 s of
# processor time.
set -eu
umask 022

die() { echo "install.sh: $*" >&2; exit 1; }

if [ "$(id -u)" = 0 ]; then
  to=/opt/cascade link=/usr/local/bin
else
  to=$HOME/.local/share/cascade link=$HOME/.local/bin
fi
archive='' digest='' caches=yes
while [ $# -gt 0 ]; do
  case $1 in
    --to) to=${2:?--to DIR}; shift ;;
    --link) link=${2:?--link DIR}; shift ;;
    --sha256) digest=${2:?--sha256 DIGEST}; shift ;;
    --no-caches) caches='' ;;
    --help | -h) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//p;}' "$0"; exit ;;
    -*) die "no option '$1'" ;;
    *) [ -z "$archive" ] || die "one archive at a time"; archive=$1 ;;
  esac
  shift
done
[ -n "$archive" ] || die "which archive? (--help)"

mkdir -p "$to" "$link"
work=$(mktemp -d "$to/.install.XXXXXX")
trap 'rm -rf "$work"' EXIT
file=$(basename "$archive")

# Gets a file that is beside the archive.
beside() {
  case $archive in
    https://*) curl -fsSL --proto =https -o "$work/$1" "${archive%/*}/$1" ;;
    *) [ -f "$(dirname "$archive")/$1" ] && cp "$(dirname "$archive")/$1" "$work/$1" ;;
  esac
}

case $archive in
  http://*) die "$archive: not by http, by which anybody on the way changes it" ;;
esac
beside "$file" || die "$archive: not there"
if [ -z "$digest" ]; then
  beside SHA256SUMS || die "no SHA256SUMS beside the archive; fix: give its digest with --sha256"
  if beside SHA256SUMS.asc 2> /dev/null; then
    command -v gpg > /dev/null || die "SHA256SUMS is signed, and gpg is not there to look at that"
    gpg --verify "$work/SHA256SUMS.asc" "$work/SHA256SUMS" || die "the signature of SHA256SUMS is not good"
  fi
  digest=$(sed -n "s/^\([0-9a-f]\{64\}\) [ *]$file\$/\1/p" "$work/SHA256SUMS")
  [ -n "$digest" ] || die "SHA256SUMS does not name $file"
fi
[ "$(sha256sum "$work/$file" | cut -d ' ' -f 1)" = "$digest" ] || die "$file is not what its digest says: nothing was installed"

name=${file%.tar.gz}
tar -xzf "$work/$file" -C "$work" --no-same-owner
[ -x "$work/$name/cascade" ] || die "$file holds no $name/cascade"
rm -rf "${to:?}/$name"
mv "$work/$name" "$to/$name"
ln -sfn "$to/$name/cascade" "$link/cascade"
if [ -n "$caches" ]; then
  "$to/$name/runtime/bin/java" -Xshare:dump > /dev/null 2>&1 || true
  "$to/$name/cascade" caches || echo "install.sh: without caches, starts take longer" >&2
fi
"$to/$name/cascade" version
case ":$PATH:" in
  *":$link:"*) ;;
  *) echo "install.sh: $link is not in PATH" >&2 ;;
esac
