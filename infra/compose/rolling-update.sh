#!/bin/sh
# Puts the code of this folder in place of what runs, one service after another, so that none is away: new containers
# start beside the old ones, and only when they are ready the old ones are asked to stop. From the repository's root:
#
#   infra/compose/rolling-update.sh                  everything
#   infra/compose/rolling-update.sh bookings         some services
set -eu

docker compose build gateway
# New queues must be there before anybody publishes to them, and a service can't make another's.
docker compose run --rm broker-setup
# Who consumes what is new comes before who publishes it: of tools, bookings before catalog.
[ $# -gt 0 ] || set -- accounts bookings catalog payments messaging notifications gateway

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
  docker compose up --detach --no-deps --no-recreate --wait --scale "$service=$((replicas * 2))" "$service"
  # shellcheck disable=SC2086 # one word for each container
  docker stop --time 20 $old
  # shellcheck disable=SC2086
  docker rm $old
done
