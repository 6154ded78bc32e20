#!/bin/sh
# Updates the running services to the code of this folder, one after another and without downtime: new containers start
# beside the old ones, which stop only when the new ones are ready. From the repository's root:
#
#   infra/compose/rolling-update.sh                  everything
#   infra/compose/rolling-update.sh bookings         some services
set -eu
# Ctrl-C ends the running command, and the cleanup below still runs.
trap : INT

docker compose build gateway
# New queues must exist before the first publish, and services have no right to declare each other's queues.
docker compose run --rm broker-setup
# Consumers of new events are updated before their publishers: bookings before catalog, and notifications and payments
# before bookings.
[ $# -gt 0 ] || set -- accounts notifications payments bookings catalog messaging gateway

for service in "$@"; do
  if [ "$service" = gateway ]; then
    # Only one container can bind the site's port, so the site is down for two or three seconds; browsers retry.
    docker compose up --detach --no-deps --wait gateway
    continue
  fi
  old=$(docker compose ps --quiet "$service")
  if [ -z "$old" ]; then
    docker compose up --detach --no-deps --wait "$service"
    continue
  fi
  replicas=$(echo "$old" | wc -l)
  if ! docker compose up --detach --no-deps --no-recreate --wait --scale "$service=$((replicas * 2))" "$service"; then
    # Remove the failed containers; otherwise the next update would count them as replicas.
    new=$(docker compose ps --all --quiet "$service" | grep -vxF "$old" || :)
    echo "The new $service did not become ready and is removed; the old one keeps running." >&2
    # shellcheck disable=SC2086
    [ -z "$new" ] || { docker stop --time 20 $new && docker rm $new; }
    exit 1
  fi
  # shellcheck disable=SC2086 # one word for each container
  docker stop --time 20 $old
  # shellcheck disable=SC2086
  docker rm $old
done
