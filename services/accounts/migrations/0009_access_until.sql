-- When the session's newest access token expires. The default fits the tokens of replicas that do not write the
-- column.
ALTER TABLE sessions ADD COLUMN access_until timestamptz NOT NULL DEFAULT now() + interval '15 minutes';
CREATE INDEX sessions_ended_access_until ON sessions (access_until) WHERE ended_at IS NOT NULL;
