#!/bin/bash
# Run once by the postgres image on an empty data folder. Creates a database per service with an owner that may connect
# to no other database. The extensions are those that only a superuser may create.
set -euo pipefail

create() {
  local service=$1 password=$2
  psql -v ON_ERROR_STOP=1 -v service="$service" -v password="$password" <<'SQL'
CREATE ROLE :"service" LOGIN PASSWORD :'password';
CREATE DATABASE :"service" OWNER :"service";
REVOKE CONNECT, TEMPORARY ON DATABASE :"service" FROM PUBLIC;
SQL
}

export PGUSER=${POSTGRES_USER:-postgres}
psql -v ON_ERROR_STOP=1 -c 'REVOKE CONNECT ON DATABASE postgres, template1 FROM PUBLIC'
create accounts "$ACCOUNTS_DB_PASSWORD"
create catalog "$CATALOG_DB_PASSWORD"
create bookings "$BOOKINGS_DB_PASSWORD"
psql -v ON_ERROR_STOP=1 -d catalog \
  -c 'CREATE EXTENSION pg_trgm' -c 'CREATE EXTENSION earthdistance CASCADE' -c 'CREATE EXTENSION btree_gist'
psql -v ON_ERROR_STOP=1 -d bookings -c 'CREATE EXTENSION btree_gist'
# Create this database last: the health check takes it as proof that everything was created.
create payments "$PAYMENTS_DB_PASSWORD"
