#!/bin/bash
# Like the official entrypoint: drops root. On an empty folder it creates the administrator and runs the init scripts,
# while the server listens only on 127.0.0.1, without authentication and without a replica set.
set -euo pipefail

[ "$1" = mongod ] || exec "$@"
if [ "$(id -u)" = 0 ]; then
  chown -R mongodb /data/db
  exec gosu mongodb "$0" "$@"
fi

if [ ! -e /data/db/WiredTiger ]; then
  mongod --bind_ip 127.0.0.1 &
  shell=(mongosh --quiet --host 127.0.0.1)
  until "${shell[@]}" --eval 1 >/dev/null 2>&1; do sleep 0.5; done
  # shellcheck disable=SC2016 # not this shell's variables
  "${shell[@]}" admin --eval 'db.createUser({ user: process.env.MONGO_INITDB_ROOT_USERNAME,
    pwd: process.env.MONGO_INITDB_ROOT_PASSWORD, roles: ["root"] })'
  for script in /docker-entrypoint-initdb.d/*.js; do "${shell[@]}" test "$script"; done
  kill %1
  wait %1 || true
fi
exec "$@" --auth --bind_ip_all
