-- For the hourly purge of used tokens: a session in use leaves about a hundred a day.
CREATE INDEX refresh_tokens_used_at ON refresh_tokens (used_at) WHERE used_at IS NOT NULL;
