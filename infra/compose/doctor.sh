#!/bin/sh
# Examines each process with its own settings and volumes in a separate container, so it works even if the process does not start.
# From the repository's root:
#
#   infra/compose/doctor.sh                    everything
#   infra/compose/doctor.sh bookings broker    some of them; add --json for scripts
set -u

names=
options=
for word in "$@"; do
  case $word in
    --*) options="$options $word" ;;
    *) names="$names $word" ;;
  esac
done
[ -n "$names" ] || names='accounts catalog bookings payments messaging notifications gateway broker'

status=0
for name in $names; do
  container=$name
  # Only broker-setup has the administrator's settings, which the broker check needs.
  [ "$name" != broker ] || container=broker-setup
  # shellcheck disable=SC2086 # one word for each option
  docker compose run --rm --no-deps -T "$container" \
    node infra/doctor/doctor-command.ts --of "$name" $options || status=1
done
exit $status
