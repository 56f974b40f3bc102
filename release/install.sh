#!/bin/sh
# Installs a released merkhet: install.sh VERSION
# MERKHET_FROM names the folder of the archives (an address or a path), MERKHET_INTO where the program goes.
set -eu
version="${1:?the version to install, such as 0.1.0}"
from="${MERKHET_FROM:?the address or folder that holds the archives of this version}"
into="${MERKHET_INTO:-$HOME/.local/bin}"
case "$(uname -s)-$(uname -m)" in
  Linux-x86_64) target=x86_64-unknown-linux-gnu ;;
  Linux-aarch64 | Linux-arm64) target=aarch64-unknown-linux-gnu ;;
  Darwin-arm64) target=aarch64-apple-darwin ;;
  Darwin-x86_64) target=x86_64-apple-darwin ;;
  *) echo "there is no archive for $(uname -s) on $(uname -m); \`cargo install --path crates/cli\` builds the program" >&2; exit 1 ;;
esac
name="merkhet-$version-$target"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
fetch() {
  case "$from" in
    *://*) curl --proto '=https' --tlsv1.2 -fsSL "$from/$1" -o "$folder/$1" ;;
    *) cp "$from/$1" "$folder/$1" ;;
  esac
}
fetch "$name.tar.gz"
fetch "SHA256SUMS"
(cd "$folder" && grep " $name.tar.gz\$" SHA256SUMS > this && { sha256sum -c this || shasum -a 256 -c this; } > /dev/null)
tar -xzf "$folder/$name.tar.gz" -C "$folder"
mkdir -p "$into"
install -m 755 "$folder/$name/merkhet" "$into/merkhet"
echo "installed $into/merkhet"
case ":$PATH:" in *":$into:"*) ;; *) echo "note: $into is not on the path" ;; esac
