#!/bin/sh
# Merkhet on several machines by ssh:  ssh.sh hosts.txt model.xml -q 'A[] safe' --memory-limit 8GiB
#
# The list, the model and the program are at the same place on all machines. Process 0 reports, and its exit code is that of all.
# Ctrl-C ends all: ssh -tt hands the signal on.
set -eu
hosts=${1:?usage: ssh.sh HOSTS MODEL [OPTIONS]}
shift
merkhet=${MERKHET:-merkhet}
ssh=${MERKHET_SSH:-ssh -o BatchMode=yes}
folder=$(pwd)
quote() {
  for word in "$@"; do
    printf " '%s'" "$(printf '%s' "$word" | sed "s/'/'\\\\''/g")"
  done
}
command="cd$(quote "$folder") && exec$(quote "$merkhet" check "$@" --hosts "$hosts")"
list=$(sed -e 's/#.*//' -e 's/[[:space:]]//g' -e '/^$/d' "$hosts")
number=0
started=
trap 'kill $started 2>/dev/null || true' INT TERM
for address in $list; do
  host=${address%:*}
  host=${host#[}
  host=${host%]}
  if [ "$number" -eq 0 ]; then
    $ssh "$host" "$command --process 0" < /dev/null &
    first=$!
  else
    $ssh "$host" "$command --process $number" < /dev/null > /dev/null &
  fi
  started="$started $!"
  number=$((number + 1))
done
status=0
wait "$first" || status=$?
wait
exit "$status"
