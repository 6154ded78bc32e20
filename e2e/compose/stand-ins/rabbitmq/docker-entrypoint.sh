#!/bin/bash
# Like the official entrypoint: drops root. Also writes the default user, which RabbitMQ 4 reads from the environment
# and 3.10 does not.
set -euo pipefail

if [ "$1" = rabbitmq-server ]; then
  if [ "$(id -u)" = 0 ]; then
    chown -R rabbitmq /var/lib/rabbitmq
    exec gosu rabbitmq "$0" "$@"
  fi
  export RABBITMQ_CONFIG_FILE=/tmp/rabbitmq.conf
  (umask 077 && cat > "$RABBITMQ_CONFIG_FILE") <<EOF
default_user = $RABBITMQ_DEFAULT_USER
default_pass = $RABBITMQ_DEFAULT_PASS
log.console = true
EOF
  unset RABBITMQ_DEFAULT_USER RABBITMQ_DEFAULT_PASS
fi
exec "$@"
