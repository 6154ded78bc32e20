#!/bin/bash
# Like the official entrypoint: drops root. On an empty folder it creates a cluster and runs the init scripts, while
# the server listens only on its socket.
set -euo pipefail
shopt -s nullglob

[ "$1" = postgres ] || exec "$@"
if [ "$(id -u)" = 0 ]; then
  mkdir -p "$PGDATA"
  chown -R postgres "$PGDATA"
  exec gosu postgres "$0" "$@"
fi

settings="-c unix_socket_directories=/var/run/postgresql"
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  initdb --pgdata="$PGDATA" --username=postgres --auth-local=trust --auth-host=scram-sha-256 \
    --encoding=UTF8 --locale=C.UTF-8 --pwfile=<(echo "$POSTGRES_PASSWORD")
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  pg_ctl --pgdata="$PGDATA" --wait start --options="$settings -c listen_addresses="
  for script in /docker-entrypoint-initdb.d/*; do "$script"; done
  pg_ctl --pgdata="$PGDATA" --wait --mode=fast stop
fi
# shellcheck disable=SC2086 # one word for each argument
exec "$@" $settings -c "listen_addresses=*"
