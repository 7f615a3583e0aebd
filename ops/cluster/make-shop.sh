#!/bin/sh
# Run by Patroni, once, with the address of the new cluster: the owner of the tables, who migrates them, the role that
# the shop works as, and their database. Passwords come by the environment of Patroni: OWNER_PASSWORD, APP_PASSWORD.
set -eu
psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 \
  --set=owner_password="$OWNER_PASSWORD" --set=app_password="$APP_PASSWORD" "$1" <<'SQL'
CREATE ROLE dogear_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE dogear_app LOGIN PASSWORD :'app_password';
CREATE DATABASE dogear OWNER dogear_owner TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C.UTF-8' LC_CTYPE 'C.UTF-8';
SQL
