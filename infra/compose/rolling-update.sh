#!/bin/sh
# Puts the code of this folder in place of what runs, one service after another, so that none is away: new containers
# start beside the old ones, and only when they are ready the old ones are asked to stop. From the repository's root:
#
#   infra/compose/rolling-update.sh                  everything
#   infra/compose/rolling-update.sh bookings         some services
set -eu
# Ctrl-C ends the command that runs, and what is said below about one that fails still happens.
trap : INT

docker compose build gateway
# New queues must be there before anybody publishes to them, and a service can't make another's.
docker compose run --rm broker-setup
# Who consumes what is new comes before who publishes it: of tools, bookings before catalog. Payments, too: the release before
# charges at once what a tool's owner is to accept first. Notifications and payments before bookings: a changed booking's refund has
# a reason of its own.
[ $# -gt 0 ] || set -- accounts notifications payments bookings catalog messaging gateway

for service in "$@"; do
  if [ "$service" = gateway ]; then
    # The site's port can't be taken twice: browsers wait for two or three seconds and ask again.
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
    # Else they would stay beside the old ones, and the next update would take them for some of the service's number.
    new=$(docker compose ps --all --quiet "$service" | grep -vxF "$old" || :)
    echo "The new $service did not become ready: it is removed, and the old one goes on." >&2
    # shellcheck disable=SC2086
    [ -z "$new" ] || { docker stop --time 20 $new && docker rm $new; }
    exit 1
  fi
  # shellcheck disable=SC2086 # one word for each container
  docker stop --time 20 $old
  # shellcheck disable=SC2086
  docker rm $old
done
