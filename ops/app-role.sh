#!/bin/sh
# Run once, by the database's own image: the role of the app, which owns nothing and cannot change tables.
set -eu
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set ON_ERROR_STOP=1 --set password="$DATABASE_APP_PASSWORD" <<'SQL'
CREATE ROLE dogear_app LOGIN PASSWORD :'password';
SQL
