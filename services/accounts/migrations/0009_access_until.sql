-- When the newest access token of a session expires. The default is what every replica that does not write it issues.
ALTER TABLE sessions ADD COLUMN access_until timestamptz NOT NULL DEFAULT now() + interval '15 minutes';
CREATE INDEX sessions_ended_access_until ON sessions (access_until) WHERE ended_at IS NOT NULL;
